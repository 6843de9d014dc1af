import type { FileHandle } from 'node:fs/promises'
import { ArchiveRefused } from './safety.ts'

/** Where the list of entries is. */
export interface Directory {
  readonly start: number
  /** After its last byte. */
  readonly end: number
}

export const ofNoFile = () => new ArchiveRefused('has bytes that belong to no file')
export const noZip = () => new ArchiveRefused('is damaged, or no ZIP file')
const twoLists = () => new ArchiveRefused('has an end in which some readers find another list of entries')

const CENTRAL = 0x02014b50
const END = Buffer.from('504b0506', 'hex')
const END_LENGTH = 22
/** Of large archives (ZIP64): a record of its own, and where that is. */
const WIDE_END = 0x06064b50
const WIDE_END_LENGTH = 56
const LOCATOR = 0x07064b50
const LOCATOR_LENGTH = 20
/** Of the comment of an archive. */
const MOST_COMMENT = 1_024
/** In which readers look for the end record: the longest comment that the format has. */
const TAIL = LOCATOR_LENGTH + END_LENGTH + 0xffff

/** A number of eight bytes; no longer exact where it is more than any file has, and so is no place in one. */
export const u64 = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

/** At most so many bytes of a file from a place in it; fewer at its end. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/**
 * Where every reader finds the list of entries of a ZIP file: it ends where the end records begin, those say the same,
 * and no bytes in which some readers look first are another end record. ArchiveRefused otherwise
 * (`docs/security-checks.md` S31).
 */
export async function directoryOf(file: FileHandle): Promise<Directory> {
  const { size } = await file.stat()
  const before = Math.max(0, size - TAIL)
  const tail = await bytesAt(file, before, size - before)
  const at = tail.length < END_LENGTH ? -1 : tail.lastIndexOf(END, tail.length - END_LENGTH)
  if (at === -1) throw noZip()
  if (tail.length - at - END_LENGTH > MOST_COMMENT) throw ofNoFile()
  const { start, end, records } = ending(tail, at, before)
  if (end !== before + records) throw ofNoFile()
  for (let other = tail.indexOf(END); other < at; other = tail.indexOf(END, other + 1))
    if (await leadsToEntries(file, tail, other)) throw twoLists()
  return { start, end }
}

/** What the end records say, and where in the tail they begin. */
function ending(tail: Buffer, at: number, before: number) {
  const told = classicEnd(tail, at)
  const isWide = hasLocator(tail, at)
  const records = isWide ? at - LOCATOR_LENGTH - WIDE_END_LENGTH : at
  const known = isWide ? wideEnd(tail, records) : told
  if (isWide && u64(tail, at - LOCATOR_LENGTH + 8) !== before + records) throw twoLists()
  if (told.some((value, index) => value !== known[index] && value !== MOST[index])) throw twoLists()
  const [disk, firstDisk, here, count, length, start] = known
  if (disk !== 0 || firstDisk !== 0 || here !== count) throw noZip()
  return { start, end: start + length, records }
}

/** Its disk and that of the list, the entries on it and all, the length of the list and its place. */
type End = readonly [number, number, number, number, number, number]

/** Stand for a value that the record of ZIP64 has. */
const MOST: End = [0xffff, 0xffff, 0xffff, 0xffff, 0xffffffff, 0xffffffff]

const classicEnd = (tail: Buffer, at: number): End => [
  tail.readUInt16LE(at + 4),
  tail.readUInt16LE(at + 6),
  tail.readUInt16LE(at + 8),
  tail.readUInt16LE(at + 10),
  tail.readUInt32LE(at + 12),
  tail.readUInt32LE(at + 16),
]

function wideEnd(tail: Buffer, at: number): End {
  if (at < 0 || tail.readUInt32LE(at) !== WIDE_END || u64(tail, at + 4) !== WIDE_END_LENGTH - 12)
    throw twoLists()
  return [
    tail.readUInt32LE(at + 16),
    tail.readUInt32LE(at + 20),
    u64(tail, at + 24),
    u64(tail, at + 32),
    u64(tail, at + 40),
    u64(tail, at + 48),
  ]
}

const hasLocator = (tail: Buffer, at: number): boolean =>
  at >= LOCATOR_LENGTH && tail.readUInt32LE(at - LOCATOR_LENGTH) === LOCATOR

/**
 * Whether a reader that finds this end record first can go on from it; that of an archive in the archive leads nowhere.
 */
async function leadsToEntries(file: FileHandle, tail: Buffer, at: number): Promise<boolean> {
  const [, , , count, , start] = classicEnd(tail, at)
  if (count === 0 || (await isAt(file, start, CENTRAL))) return true
  return hasLocator(tail, at) && isAt(file, u64(tail, at - LOCATOR_LENGTH + 8), WIDE_END)
}

async function isAt(file: FileHandle, position: number, signature: number): Promise<boolean> {
  if (!Number.isSafeInteger(position)) return false
  const bytes = await bytesAt(file, position, 4)
  return bytes.length === 4 && bytes.readUInt32LE() === signature
}
