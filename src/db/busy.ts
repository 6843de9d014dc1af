/** The database cannot be had for the moment, and nothing was answered; the caller may try again. */
export class DatabaseBusy extends Error {}

/** Nothing can be stored: the disk is full, or cannot be written to. What is stored can be read. */
export class DiskFull extends DatabaseBusy {}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a system has refused to write a file for want of room. */
export const isNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code))
