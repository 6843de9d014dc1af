import type { Entry, ZipFile } from 'yauzl'
import { isCleanText } from '../lib/formats.ts'
import { withoutEnd } from '../lib/without-end.ts'

/** The archive cannot be taken; `message` is a reason that goes on after "the file". */
export class ArchiveRefused extends Error {}

export interface ArchiveLimits {
  readonly entries: number
  /** Bytes of the list of entries. */
  readonly directory: number
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
  total: 1024 * MIB,
  ratio: 100,
  depth: 30,
  name: 512,
}

/** Less than this is no bomb, however well it packs. */
const SMALL = 10 * MIB
/** A packed file hardly packs again; one that does holds what repeats, as the bombs within bombs do. */
const RATIO_OF_PACKED = 4
const SMALL_PACKED = 8_192
const PACKED = /\.(?:zip|gz|tgz|bz2|xz|7z|rar|zst)$/i

/** ZIP, gzip, bzip2, xz, 7z, RAR and Zstandard, as their files begin. */
const BEGINNINGS = ['504b0304', '1f8b08', '425a68', 'fd377a58', '377abcaf', '52617221', '28b52ffd'].map(
  (hex) => Buffer.from(hex, 'hex'),
)

const STORED = 0
const DEFLATED = 8
const TYPE_OF_FILE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
/** A folder, and the label of a disk, as DOS has them. */
const DOS_KINDS = 0x18

const linksOrDevices = () => new ArchiveRefused('has links or devices in it')
export const leadsElsewhere = () => new ArchiveRefused('has a file whose name leads elsewhere')

/** Looks at what an archive says of its entries, one after the other, before any is read. */
export class EntryCheck {
  readonly #limits: ArchiveLimits
  readonly #names = new Map<string, 'file' | 'folder'>()
  #total = 0
  #packed = 0

  constructor({ entryCount, fileSize, readEntryCursor }: ZipFile, limits: ArchiveLimits) {
    if (entryCount === 0) throw new ArchiveRefused('has no files in it')
    if (entryCount > limits.entries) throw new ArchiveRefused(`has more than ${limits.entries} entries`)
    if (fileSize - Number(readEntryCursor) > limits.directory)
      throw new ArchiveRefused('has a list of entries that is too long')
    this.#limits = limits
  }

  add(entry: Entry): void {
    const isFolder = entry.fileName.endsWith('/')
    this.#checkName(entry, isFolder)
    this.#checkKind(entry, isFolder)
    this.#checkSize(entry)
  }

  #checkName({ fileName, fileNameRaw }: Entry, isFolder: boolean): void {
    const { name: longest, depth } = this.#limits
    if (fileNameRaw.length > longest) throw new ArchiveRefused('has a file with a name that is too long')
    // An old code page reads them as pictures; other readers do not.
    if (fileNameRaw.some((byte) => byte < 0x20 || byte === 0x7f)) throw leadsElsewhere()
    if (/[\p{Control}\\:]|^\/|\ufffd/u.test(fileName)) throw leadsElsewhere()
    if (!isCleanText(fileName)) throw new ArchiveRefused('has a file whose name is shown as another one')
    const segments = (isFolder ? fileName.slice(0, -1) : fileName).split('/')
    if (segments.some((one) => withoutTrail(one) === '')) throw leadsElsewhere()
    if (segments.length > depth) throw new ArchiveRefused(`has folders more than ${depth} deep`)
    this.#note(segments, isFolder)
  }

  /** Two names that differ by case only are one file on many systems, and so is a folder of a file's name. */
  #note(segments: readonly string[], isFolder: boolean): void {
    const folded = segments.map((one) => withoutTrail(caseless(one)))
    for (let length = 1; length < folded.length; length++) this.#put(folded.slice(0, length), 'folder')
    const name = folded.join('/')
    if (!isFolder && this.#names.has(name)) throw new ArchiveRefused('has two files of one name')
    this.#put(folded, isFolder ? 'folder' : 'file')
  }

  #put(segments: readonly string[], kind: 'file' | 'folder'): void {
    const name = segments.join('/')
    if ((this.#names.get(name) ?? kind) !== kind) throw new ArchiveRefused('has two files of one name')
    this.#names.set(name, kind)
  }

  #checkKind(entry: Entry, isFolder: boolean): void {
    if (entry.isEncrypted()) throw new ArchiveRefused('has encrypted files')
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw new ArchiveRefused('is packed in a way that is not known')
    const type = (entry.externalFileAttributes >>> 16) & TYPE_OF_FILE
    if (type !== 0 && type !== REGULAR && type !== FOLDER) throw linksOrDevices()
    const kinds = entry.externalFileAttributes & DOS_KINDS
    if (!isFolder && (type === FOLDER || kinds !== 0))
      throw new ArchiveRefused('has a file that some readers take for a folder')
    if (isFolder && entry.uncompressedSize > 0) throw new ArchiveRefused('has a folder with content')
  }

  #checkSize({ uncompressedSize, compressedSize }: Entry): void {
    const { total, ratio } = this.#limits
    this.#total += uncompressedSize
    this.#packed += compressedSize
    if (this.#total > total) throw new ArchiveRefused(`has more than ${total / MIB} MB of files`)
    if (this.#total > SMALL && this.#total > this.#packed * ratio)
      throw new ArchiveRefused(`is packed more than ${ratio} times smaller than its files`)
  }
}

/**
 * Looks at the archives in an archive, known by their names or, whatever these are, by their first bytes: neither one of
 * them nor all together may pack much smaller once more (CHECKS S31).
 */
export class PackedCheck {
  readonly #all = { size: 0, packed: 0 }

  add({ fileName, uncompressedSize: size, compressedSize: packed }: Entry, first: Buffer): void {
    if (!PACKED.test(fileName) && !BEGINNINGS.some((one) => first.indexOf(one) === 0)) return
    this.#all.size += size
    this.#all.packed += packed
    if (isPackedAgain({ size, packed }) || isPackedAgain(this.#all))
      throw new ArchiveRefused('has an archive in it that is packed much smaller once more')
  }
}

const isPackedAgain = ({ size, packed }: { readonly size: number; readonly packed: number }) =>
  size > SMALL_PACKED && size > packed * RATIO_OF_PACKED

/** Upper case makes one letter of those that have two lower ones, as sigma has at the end of a word. */
const caseless = (name: string) => name.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')

/** Some systems leave out dots and blanks at the end of a name. */
const withoutTrail = (name: string) => withoutEnd(name, '. ')

const UNICODE_PATH = 0x7075
/** Its version and the checksum of the other name. */
const UNICODE_PATH_HEAD = 5
/** Of ASi, with a mode of its own. */
const UNIX_MODE = 0x756e
/** Of PKWARE: times and owner, and after them where a link leads. */
const UNIX_LINK = 0x000d
const UNIX_LINK_HEAD = 12

/**
 * A file may have another name in a field for Unicode, which some readers take and others do not: it must be the same as
 * the one that was checked, as bytes or as text. Nor may a field make a link of it. ArchiveRefused otherwise (CHECKS S31).
 */
export function checkFields(fields: Entry['extraFields'], raw: Buffer, text: string): void {
  for (const { id, data } of fields) {
    if (id === UNIX_MODE || (id === UNIX_LINK && data.length > UNIX_LINK_HEAD)) throw linksOrDevices()
    const name = data.subarray(UNICODE_PATH_HEAD)
    if (id === UNICODE_PATH && !name.equals(raw) && !name.equals(Buffer.from(text))) throw twoNames()
  }
}

export const twoNames = () => new ArchiveRefused('gives a file two names')

/** Bytes after the list of entries: its end record, that of ZIP64, a comment. */
const MOST_AFTER = 22 + 76 + 1_024

/** After the last entry was read: what follows could be entries that only other readers see. */
export function checkEnd({ fileSize, readEntryCursor }: ZipFile): void {
  if (fileSize - Number(readEntryCursor) > MOST_AFTER) throw ofNoFile()
}

/** Bytes after a file: its sum and sizes, where they do not stand before it. */
const MOST_BETWEEN = 24

const ofNoFile = () => new ArchiveRefused('has bytes that belong to no file')

interface Extent {
  readonly start: number
  readonly end: number
}

/**
 * Bytes that are in two files at once, or in one and in the list of entries, are how a small archive becomes a large one;
 * the first file begins the archive, and the last one ends before the list.
 */
export function checkPlaces(places: readonly Extent[], directory: number): void {
  let end = 0
  for (const [index, place] of places.toSorted((a, b) => a.start - b.start).entries()) {
    if (index === 0 && place.start !== 0) throw new ArchiveRefused('does not begin as a ZIP file')
    if (place.start < end) throw new ArchiveRefused('has files that share their bytes')
    if (place.start > end + MOST_BETWEEN) throw ofNoFile()
    end = place.end
  }
  if (directory > end + MOST_BETWEEN) throw ofNoFile()
  if (end > directory) throw new ArchiveRefused('has files that share their bytes with the list of entries')
}
