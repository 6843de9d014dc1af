import type { Entry, ZipFile } from 'yauzl'
import type { Directory } from './ends.ts'

/** The archive cannot be taken; `message` is a reason that goes on after "the file". */
export class ArchiveRefused extends Error {}

export interface ArchiveLimits {
  readonly entries: number
  /** Bytes of the list of entries. */
  readonly directory: number
  /** Bytes of the extra fields of all files, in the list and before the files. */
  readonly fields: number
  /** Bytes of all files, unpacked. */
  readonly total: number
  /** Unpacked to packed bytes of the whole archive. */
  readonly ratio: number
  /** Folders in one another. */
  readonly depth: number
  /** Bytes of a name. */
  readonly name: number
}

const MIB = 1024 * 1024

export const LIMITS: ArchiveLimits = {
  entries: 20_000,
  directory: 8 * MIB,
  fields: 4 * MIB,
  total: 1024 * MIB,
  ratio: 100,
  depth: 30,
  name: 512,
}

/** Less than this is no bomb, however well it packs. */
const SMALL = 10 * MIB

const STORED = 0
const DEFLATED = 8
/** Flags of a file that is, one that is so strongly, and one whose description is. */
export const ENCRYPTED = 0x2041
const TYPE_OF_FILE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
/** The field of ZIP64: sizes and places of more than 4 GB. */
export const WIDE = 0x0001
/** A folder, and the label of a disk, as DOS has them. */
const DOS_KINDS = 0x18

export const linksOrDevices = () => new ArchiveRefused('has links or devices in it')

/** Looks at what an archive says of its entries, one after the other, before any is read. */
export class EntryCheck {
  readonly #limits: ArchiveLimits
  #total = 0
  #packed = 0
  #fields = 0

  constructor({ entryCount }: ZipFile, { start, end }: Directory, limits: ArchiveLimits) {
    if (entryCount === 0) throw new ArchiveRefused('has no files in it')
    if (entryCount > limits.entries) throw new ArchiveRefused(`has more than ${limits.entries} entries`)
    if (end - start > limits.directory) throw new ArchiveRefused('has a list of entries that is too long')
    this.#limits = limits
  }

  add(entry: Entry): void {
    const isFolder = entry.fileName.endsWith('/')
    this.#checkKind(entry, isFolder)
    this.#checkSize(entry)
    this.addFields(entry.extraFieldRaw)
  }

  /** A field may have four bytes, and takes a hundred where it is read. */
  addFields({ length }: Buffer): void {
    const { fields } = this.#limits
    this.#fields += length
    if (this.#fields > fields) throw new ArchiveRefused(`has more than ${fields / MIB} MB of extra fields`)
  }

  #checkKind(entry: Entry, isFolder: boolean): void {
    if (entry.generalPurposeBitFlag & ENCRYPTED) throw new ArchiveRefused('has encrypted files')
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw new ArchiveRefused('is packed in a way that is not known')
    const type = (entry.externalFileAttributes >>> 16) & TYPE_OF_FILE
    if (type !== 0 && type !== REGULAR && type !== FOLDER) throw linksOrDevices()
    const kinds = entry.externalFileAttributes & DOS_KINDS
    if (!isFolder && (type === FOLDER || kinds !== 0))
      throw new ArchiveRefused('has a file that some readers take for a folder')
    if (isFolder && entry.uncompressedSize > 0) throw new ArchiveRefused('has a folder with content')
  }

  #checkSize({ uncompressedSize, compressedSize, extraFields }: Entry): void {
    const { total, ratio } = this.#limits
    // No file that is taken needs it, and readers that do not know it go on into what follows the file.
    if (extraFields.some(({ id }) => id === WIDE))
      throw new ArchiveRefused('has a file that is listed in the form for more than 4 GB')
    this.#total += uncompressedSize
    this.#packed += compressedSize
    if (this.#total > total) throw new ArchiveRefused(`has more than ${total / MIB} MB of files`)
    if (this.#total > SMALL && this.#total > this.#packed * ratio)
      throw new ArchiveRefused(`is packed more than ${ratio} times smaller than its files`)
  }
}
