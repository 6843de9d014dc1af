import type { Entry } from 'yauzl'
import { isUtf8 } from 'node:buffer'
import { isCleanText } from '../../lib/formats.ts'
import { withoutEnd } from '../../lib/without-end.ts'
import { ArchiveRefused, linksOrDevices, type ArchiveLimits } from './safety.ts'

export const leadsElsewhere = () => new ArchiveRefused('has a file whose name leads elsewhere')
export const twoNames = () => new ArchiveRefused('gives a file two names')
const oneName = () => new ArchiveRefused('has two files of one name')

/** Says that a name is UTF-8. */
export const UTF8 = 0x0800

/** The names under which a file is unpacked. */
export interface Names {
  /** With slashes; that of a folder ends in one. */
  readonly name: string
  /** To readers that take what does not say that it is UTF-8 for the old code page. */
  readonly old: string
}

/**
 * Looks at the names of an archive, one after the other, as each kind of reader takes them
 * (`docs/security-checks.md` S31).
 */
export class NameCheck {
  readonly #limits: ArchiveLimits
  readonly #ofOldCodePage: (raw: Buffer) => string
  readonly #one = new Tree()
  readonly #all: Names[] = []

  constructor(limits: ArchiveLimits, ofOldCodePage: (raw: Buffer) => string) {
    this.#limits = limits
    this.#ofOldCodePage = ofOldCodePage
  }

  /** A name without the flag for UTF-8 is that where its bytes are, and of the old code page (CP437) otherwise. */
  add({
    fileNameRaw: raw,
    generalPurposeBitFlag: flags,
  }: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag'>): Names {
    if (raw.length > this.#limits.name) throw new ArchiveRefused('has a file with a name that is too long')
    // An old code page reads them as pictures; other readers do not.
    if (raw.some((byte) => byte < 0x20 || byte === 0x7f)) throw leadsElsewhere()
    const isFlagged = (flags & UTF8) !== 0
    const name = isFlagged || isUtf8(raw) ? raw.toString('utf8') : this.#ofOldCodePage(raw)
    const names = { name, old: isFlagged ? name : this.#ofOldCodePage(raw) }
    // Names that differ by case only are one on many systems.
    this.#one.add(this.#segments(name).map(folded), isFolder(name))
    this.#all.push(names)
    return names
  }

  /** After the last one: no name is that of another file to a reader of the old code page. */
  end(): void {
    const others = this.#all.filter(({ name, old }) => name !== old).map(({ old }) => old)
    if (others.length === 0) return
    const tree = new Tree()
    for (const name of [...this.#all.map(({ name }) => name), ...others])
      tree.add(segmentsOf(name), isFolder(name))
  }

  #segments(name: string): readonly string[] {
    if (/[\p{Control}\\:]|^\/|\ufffd/u.test(name)) throw leadsElsewhere()
    if (!isCleanText(name)) throw new ArchiveRefused('has a file whose name is shown as another one')
    const segments = segmentsOf(name)
    if (segments.some((one) => withoutTrail(one) === '')) throw leadsElsewhere()
    const { depth } = this.#limits
    if (segments.length > depth) throw new ArchiveRefused(`has folders more than ${depth} deep`)
    return segments
  }
}

export const isFolder = (name: string): boolean => name.endsWith('/')

const segmentsOf = (name: string) => (isFolder(name) ? name.slice(0, -1) : name).split('/')

/** Files and folders, each of a name of its own; a folder may be named by all that is in it. */
class Tree {
  readonly #kinds = new Map<string, 'file' | 'folder'>()

  add(segments: readonly string[], isFolder: boolean): void {
    for (let length = 1; length < segments.length; length++) this.#put(segments.slice(0, length), 'folder')
    if (!isFolder && this.#kinds.has(segments.join('/'))) throw oneName()
    this.#put(segments, isFolder ? 'folder' : 'file')
  }

  #put(segments: readonly string[], kind: 'file' | 'folder'): void {
    const name = segments.join('/')
    if ((this.#kinds.get(name) ?? kind) !== kind) throw oneName()
    this.#kinds.set(name, kind)
  }
}

/** Upper case makes one letter of those that have two lower ones, as sigma has at the end of a word. */
const caseless = (name: string) => name.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')

/** Some systems leave out dots and blanks at the end of a name. */
const withoutTrail = (name: string) => withoutEnd(name, '. ')

const folded = (segment: string) => withoutTrail(caseless(segment))

const UNICODE_PATH = 0x7075
/** Its version and the checksum of the other name. */
const UNICODE_PATH_HEAD = 5
/** Of ASi, with a mode of its own. */
const UNIX_MODE = 0x756e
/** Of PKWARE: times and owner, and after them where a link leads. */
const UNIX_LINK = 0x000d
const UNIX_LINK_HEAD = 12

/**
 * A file may have another name in a field for Unicode, which some readers take and others do not: it must be the same
 * as one that was checked, as bytes or as text. Nor may a field make a link of it. ArchiveRefused otherwise
 * (`docs/security-checks.md` S31).
 */
export function checkFields(fields: Entry['extraFields'], raw: Buffer, { name, old }: Names): void {
  for (const { id, data } of fields) {
    if (id === UNIX_MODE || (id === UNIX_LINK && data.length > UNIX_LINK_HEAD)) throw linksOrDevices()
    if (id !== UNICODE_PATH) continue
    const other = data.subarray(UNICODE_PATH_HEAD)
    if (![raw, Buffer.from(name), Buffer.from(old)].some((one) => other.equals(one))) throw twoNames()
  }
}
