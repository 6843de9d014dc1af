/** The database cannot be had for the moment, and nothing was answered; the caller may try again. */
export class DatabaseBusy extends Error {}
