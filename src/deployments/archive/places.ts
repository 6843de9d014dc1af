import type { FileHandle } from 'node:fs/promises'
import type { Entry, LocalFileHeader } from 'yauzl'
import { bytesAt, ofNoFile, u64, type Directory } from './ends.ts'
import { UTF8 } from './names.ts'
import { ArchiveRefused, ENCRYPTED, WIDE } from './safety.ts'

const twoWays = () => new ArchiveRefused('describes a file in two ways')
const sharedWithList = () => new ArchiveRefused('has files that share their bytes with the list of entries')

/** A file with the bytes before it that describe it. */
export interface Place {
  readonly start: number
  /** After its packed bytes. */
  readonly end: number
  /** Whether its sum and sizes stand after it, where they do not stand before it. */
  readonly isDescribedAfter: boolean
  readonly entry: Entry
}

/** Says that sum and sizes stand after a file. */
const DESCRIBED_AFTER = 0x0008
const BOTH_SIZES = 16
const MAX_32 = 0xffffffff

/**
 * The place of a file, described before its bytes as it is in the list of entries: some readers go by the one, some by
 * the other. ArchiveRefused where they are two (`docs/security-checks.md` S31).
 */
export function placeOf(entry: Entry, header: LocalFileHeader, fields: Entry['extraFields']): Place {
  const isDescribedAfter = (header.generalPurposeBitFlag & DESCRIBED_AFTER) !== 0
  const is: Same = (told, known) => told === known || (isDescribedAfter && told === 0)
  const wide = fields.filter(({ id }) => id === WIDE).map(({ data }) => data)
  if (
    !isOfOneKind(entry, header) ||
    !is(header.crc32, entry.crc32) ||
    !hasSizesOf(entry, { header, wide, is })
  )
    throw twoWays()
  const start = entry.relativeOffsetOfLocalHeader
  return { start, end: header.fileDataStart + entry.compressedSize, isDescribedAfter, entry }
}

/** Whether a value before a file is that of the list, or zero where it stands after the file. */
type Same = (told: number, known: number) => boolean

/** The flag for UTF-8 says nothing of a name without other characters than ASCII. */
function isOfOneKind(
  { generalPurposeBitFlag, compressionMethod, fileNameRaw }: Entry,
  header: LocalFileHeader,
) {
  const { generalPurposeBitFlag: flags } = header
  const isNameSame = ((flags ^ generalPurposeBitFlag) & UTF8) === 0 || isAscii(fileNameRaw)
  return isNameSame && (flags & ENCRYPTED) === 0 && header.compressionMethod === compressionMethod
}

interface Told {
  readonly header: LocalFileHeader
  /** The fields of ZIP64. */
  readonly wide: readonly Buffer[]
  readonly is: Same
}

/** Some readers take the sizes of the field wherever there is one, others only where the header refers to it. */
function hasSizesOf({ compressedSize, uncompressedSize }: Entry, { header, wide, is }: Told): boolean {
  const [field] = wide
  if (wide.length > 1 || (field && field.length < BOTH_SIZES)) return false
  if (field && !(is(u64(field, 0), uncompressedSize) && is(u64(field, 8), compressedSize))) return false
  const isHere = (told: number, known: number) => is(told, known) || (field !== undefined && told === MAX_32)
  return isHere(header.compressedSize, compressedSize) && isHere(header.uncompressedSize, uncompressedSize)
}

const isAscii = (bytes: Buffer) => bytes.every((byte) => byte < 0x80)

/**
 * Bytes that are in two files at once, or in one and in the list of entries, are how a small archive becomes a large
 * one, and what is in none is a file to readers that begin at the first: files stand one after the other, up to the
 * list.
 */
export async function checkPlaces(
  places: readonly Place[],
  directory: Directory,
  file: FileHandle,
): Promise<void> {
  const sorted = places.toSorted((a, b) => a.start - b.start)
  if (sorted[0]?.start !== 0) throw new ArchiveRefused('does not begin as a ZIP file')
  for (const [index, place] of sorted.entries()) {
    const next = sorted[index + 1]?.start
    if (next !== undefined && next < place.end) throw new ArchiveRefused('has files that share their bytes')
    if (place.end > directory.start) throw sharedWithList()
    await checkAfter(place, next ?? directory.start, file)
  }
}

/** Signature, sum and sizes after a file; there may be no signature, and sizes have eight bytes in ZIP64. */
const DESCRIPTOR = 0x08074b50
const DESCRIPTORS = [12, 16, 20, 24]
const SIGNED = [16, 24]
const WIDE_FROM = 20

async function checkAfter(
  { end, isDescribedAfter, entry }: Place,
  next: number,
  file: FileHandle,
): Promise<void> {
  const length = next - end
  // Some writers leave it out after what is empty, of which nothing is to be said.
  if (length === 0 && (!isDescribedAfter || entry.compressedSize === 0)) return
  if (!isDescribedAfter || (length !== 0 && !DESCRIPTORS.includes(length))) throw ofNoFile()
  if (length === 0 || !isDescriptorOf(entry, await bytesAt(file, end, length))) throw twoWays()
}

function isDescriptorOf(entry: Entry, bytes: Buffer): boolean {
  const isSigned = SIGNED.includes(bytes.length)
  const at = isSigned ? 4 : 0
  const isWide = bytes.length >= WIDE_FROM
  const size = (place: number) => (isWide ? u64(bytes, place) : bytes.readUInt32LE(place))
  return (
    (!isSigned || bytes.readUInt32LE() === DESCRIPTOR) &&
    bytes.readUInt32LE(at) === entry.crc32 &&
    size(at + 4) === entry.compressedSize &&
    size(at + (isWide ? 12 : 8)) === entry.uncompressedSize
  )
}
