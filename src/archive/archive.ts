import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { crc32 } from 'node:zlib'
import { chunkCollector } from '../lib/collect-garbage.ts'
import { progress } from './progress.ts'
import {
  ArchiveRefused,
  checkEnd,
  checkFields,
  checkPlaces,
  EntryCheck,
  leadsElsewhere,
  LIMITS,
  PackedCheck,
  twoNames,
  type ArchiveLimits,
} from './safety.ts'

/** A file or folder of an archive. */
export interface ArchiveEntry {
  /** With slashes; that of a folder ends in one. */
  readonly name: string
  readonly isFolder: boolean
  /** Bytes, as declared and found. */
  readonly size: number
  /** Unix permissions, 0 where the archive tells none. */
  readonly mode: number
}

/** A file as it is packed. */
export interface RawFile {
  /** That of the format: 0 stored, 8 deflated. */
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly stream: Readable
}

/** The entries of an archive that was checked, in its own order; nothing of it is ever written to disk. */
export interface Archive {
  readonly entries: readonly ArchiveEntry[]
  /** The bytes of a file; at most `maxBytes` of its beginning. */
  read(entry: ArchiveEntry, maxBytes?: number): Promise<Buffer>
  /** All of its bytes, unpacked as they are read. */
  stream(entry: ArchiveEntry): Promise<Readable>
  raw(entry: ArchiveEntry): Promise<RawFile>
  close(): void
}

/**
 * Opens a ZIP file and checks all of it before anything of it is used: number, names, places, declared and actual
 * sizes and checksums (CHECKS S31). ArchiveRefused with a reason; the library is loaded with the first archive.
 */
export async function openArchive(path: string, limits: ArchiveLimits = LIMITS): Promise<Archive> {
  const zip = await openZip(path)
  try {
    const checked = await checkedEntries(zip, limits)
    return archiveOf(zip, checked)
  } catch (error) {
    zip.close()
    throw refusalOf(error)
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const { openPromise } = (await import('yauzl')).default
  try {
    return await openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
      strictFileNames: true,
    })
  } catch (error) {
    throw refusalOf(error)
  }
}

/** What the library says of a name that begins at a root, goes up, or has backslashes. */
const LEADS_ELSEWHERE = /^(?:absolute path|invalid relative path|invalid characters in fileName): /

/** What the library finds wrong is a reason too; it has no word of ours in it. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ArchiveRefused) return error
  const isFileSystem = error instanceof Error && 'syscall' in error
  if (isFileSystem || !(error instanceof Error)) return error
  return LEADS_ELSEWHERE.test(error.message)
    ? leadsElsewhere()
    : new ArchiveRefused('is damaged, or no ZIP file')
}

async function checkedEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Map<ArchiveEntry, Entry>> {
  const { getFileNameLowLevel, parseExtraFields } = (await import('yauzl')).default
  const check = new EntryCheck(zip, limits)
  const directory = Number(zip.readEntryCursor)
  const found: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    check.add(entry)
    progress()
    const { generalPurposeBitFlag: flags, fileNameRaw: raw } = entry
    checkFields(entry.extraFields, raw, getFileNameLowLevel(flags, raw, [], true))
    found.push(entry)
  }
  checkEnd(zip)
  const places = []
  for (const entry of found) {
    const header = await zip.readLocalFileHeaderPromise(entry)
    if (!header.fileName.equals(entry.fileNameRaw)) throw twoNames()
    checkFields(parseExtraFields(header.extraField), entry.fileNameRaw, entry.fileName)
    places.push({
      start: entry.relativeOffsetOfLocalHeader,
      end: header.fileDataStart + entry.compressedSize,
    })
  }
  checkPlaces(places, directory)
  const content = { collect: chunkCollector(), packed: new PackedCheck() }
  for (const entry of found) await checkContent(zip, entry, content)
  return new Map(found.map((entry) => [presented(entry), entry]))
}

const presented = (entry: Entry): ArchiveEntry => ({
  name: entry.fileName,
  isFolder: entry.fileName.endsWith('/'),
  size: entry.uncompressedSize,
  mode: (entry.externalFileAttributes >>> 16) & 0o777,
})

/** By which an archive is known. */
const FIRST_BYTES = 8

interface ContentCheck {
  collect(bytes: number): void
  readonly packed: PackedCheck
}

/** Reads a file to its end: the library refuses more bytes than were declared, the sum shows other ones. */
async function checkContent(zip: ZipFile, entry: Entry, { collect, packed }: ContentCheck): Promise<void> {
  let sum = 0
  let first: Buffer = Buffer.alloc(0)
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (first.length < FIRST_BYTES) first = Buffer.concat([first, (chunk as Buffer).subarray(0, FIRST_BYTES)])
    sum = crc32(chunk as Buffer, sum)
    collect((chunk as Buffer).length)
    progress()
  }
  packed.add(entry, first)
  if (sum !== entry.crc32) throw new ArchiveRefused('has a file whose checksum is wrong')
}

function archiveOf(zip: ZipFile, checked: ReadonlyMap<ArchiveEntry, Entry>): Archive {
  const known = (wanted: ArchiveEntry): Entry => {
    const entry = checked.get(wanted)
    if (!entry) throw new Error('The entry is of another archive.')
    return entry
  }
  return {
    entries: [...checked.keys()],
    async raw(wanted) {
      const entry = known(wanted)
      return {
        method: entry.compressionMethod,
        crc: entry.crc32,
        packedSize: entry.compressedSize,
        size: entry.uncompressedSize,
        stream: await zip.openReadStreamPromise(entry, { decodeFileData: false }),
      }
    },
    stream: (wanted) => zip.openReadStreamPromise(known(wanted)),
    async read(entry, maxBytes = entry.size) {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of await zip.openReadStreamPromise(known(entry))) {
        chunks.push(chunk as Buffer)
        size += (chunk as Buffer).length
        if (size >= maxBytes) break
      }
      return Buffer.concat(chunks).subarray(0, maxBytes)
    },
    close: () => zip.close(),
  }
}
