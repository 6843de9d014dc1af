import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { open, type FileHandle } from 'node:fs/promises'
import { contentCheck } from './content.ts'
import { directoryOf, noZip, ofNoFile, type Directory } from './ends.ts'
import { checkFields, isFolder, leadsElsewhere, NameCheck, twoNames, type Names } from './names.ts'
import { checkPlaces, placeOf, type Place } from './places.ts'
import { progress } from './progress.ts'
import { ArchiveRefused, EntryCheck, LIMITS, type ArchiveLimits } from './safety.ts'

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
 * sizes and checksums, and that every reader finds the same in it (`docs/security-checks.md` S31). ArchiveRefused with
 * a reason; the library is loaded with the first archive.
 */
export async function openArchive(path: string, limits: ArchiveLimits = LIMITS): Promise<Archive> {
  const file = await open(path)
  try {
    const directory = await directoryOf(file)
    const zip = await openZip(path)
    try {
      return archiveOf(zip, await checkedEntries({ zip, file, directory }, limits))
    } catch (error) {
      zip.close()
      throw refusalOf(error)
    }
  } finally {
    await file.close()
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
  return LEADS_ELSEWHERE.test(error.message) ? leadsElsewhere() : noZip()
}

interface Source {
  readonly zip: ZipFile
  readonly file: FileHandle
  readonly directory: Directory
}

async function checkedEntries(source: Source, limits: ArchiveLimits): Promise<Map<ArchiveEntry, Entry>> {
  const { zip, file, directory } = source
  const check = new EntryCheck(zip, directory, limits)
  const found = await listedEntries(source, check, limits)
  await checkPlaces(await placesOf(source, check, found), directory, file)
  const checkContent = contentCheck(zip)
  for (const { entry, names } of found) await checkContent(entry, names.name)
  return new Map(found.map(({ entry, names }) => [presented(entry, names), entry]))
}

interface Listed {
  readonly entry: Entry
  readonly names: Names
}

async function listedEntries(
  { zip, directory }: Source,
  check: EntryCheck,
  limits: ArchiveLimits,
): Promise<Listed[]> {
  const { getFileNameLowLevel } = (await import('yauzl')).default
  const names = new NameCheck(limits, (raw) => getFileNameLowLevel(0, raw, [], true))
  const found: Listed[] = []
  for await (const entry of zip.eachEntry()) {
    check.add(entry)
    progress()
    const one = names.add(entry)
    checkFields(entry.extraFields, entry.fileNameRaw, one)
    // Nothing more is read of them.
    entry.extraFields = []
    found.push({ entry, names: one })
  }
  names.end()
  if (Number(zip.readEntryCursor) !== directory.end) throw ofNoFile()
  return found
}

async function placesOf({ zip }: Source, check: EntryCheck, found: readonly Listed[]): Promise<Place[]> {
  const { parseExtraFields } = (await import('yauzl')).default
  const places = []
  for (const { entry, names } of found) {
    const header = await zip.readLocalFileHeaderPromise(entry)
    if (!header.fileName.equals(entry.fileNameRaw)) throw twoNames()
    check.addFields(header.extraField)
    progress()
    const fields = parseExtraFields(header.extraField)
    checkFields(fields, entry.fileNameRaw, names)
    places.push(placeOf(entry, header, fields))
  }
  return places
}

const presented = (entry: Entry, { name }: Names): ArchiveEntry => ({
  name,
  isFolder: isFolder(name),
  size: entry.uncompressedSize,
  mode: (entry.externalFileAttributes >>> 16) & 0o777,
})

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
