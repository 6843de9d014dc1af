import type { Entry } from 'yauzl'
import { ArchiveRefused } from './safety.ts'

type Sizes = Pick<Entry, 'uncompressedSize' | 'compressedSize'>

/** A packed file hardly packs again; one that does holds what repeats, as the bombs within bombs do. */
const RATIO_OF_PACKED = 4
const SMALL_PACKED = 8_192
const PACKED = /\.(?:zip|gz|tgz|bz2|xz|7z|rar|zst)$/i

/** ZIP, gzip, bzip2, xz, 7z, RAR and Zstandard, as their files begin. */
const BEGINNINGS = ['504b0304', '1f8b08', '425a68', 'fd377a58', '377abcaf', '52617221', '28b52ffd'].map(
  (hex) => Buffer.from(hex, 'hex').toString('latin1'),
)
const LONGEST_BEGINNING = 4

/**
 * Beginnings of archives anywhere in a file, behind a program that unpacks them or whatever else. Of ZIP a file, or one
 * of the list: its way of packing, and after what is left to any value the length of a name; no text has zeros there.
 */
/* oxlint-disable eslint/no-control-regex -- bytes of files, each as one character */
const ANYWHERE = [
  /PK\x03\x04.{4}[\0-\x63]\0.{16}(?:[^\0][\0-\x0f]|\0[\x01-\x0f])/s,
  /PK\x01\x02.{6}[\0-\x63]\0.{16}(?:[^\0][\0-\x0f]|\0[\x01-\x0f])/s,
  /\x1f\x8b\x08[\0-\x1f]/,
  /BZh[1-9](?:1AY&SY|\x17rE8P\x90)/,
  /\xfd7zXZ\0/,
  /7z\xbc\xaf\x27\x1c/,
  /Rar!\x1a\x07/,
  /\x28\xb5\x2f\xfd/,
]
/* oxlint-enable eslint/no-control-regex */
const LONGEST = 30

/** By what a file is an archive, or has one in it: given its bytes, one piece after the other. */
export class InnerSearch {
  /** Otherwise only the first bytes: an archive that does not pack again does no harm. */
  readonly #isWhole: boolean
  #sign: string | null
  #seen = 0
  #end = ''

  constructor({ fileName, ...sizes }: Pick<Entry, 'fileName'> & Sizes) {
    this.#sign = PACKED.test(fileName) ? 'is named like one' : null
    this.#isWhole = packsAgain(sizes)
  }

  add(chunk: Buffer): void {
    if (this.#sign !== null || (!this.#isWhole && this.#seen >= LONGEST_BEGINNING)) return
    const text = this.#end + chunk.toString('latin1')
    if (this.#seen < LONGEST_BEGINNING && BEGINNINGS.some((one) => text.startsWith(one)))
      this.#sign = 'begins like one'
    else if (this.#isWhole && ANYWHERE.some((one) => one.test(text)))
      this.#sign = 'has the beginning of one in it'
    this.#seen += chunk.length
    this.#end = text.slice(1 - LONGEST)
  }

  /** What is said of the file; null where it is none. */
  get sign(): string | null {
    return this.#sign
  }
}

/**
 * Looks at the archives in an archive, known by their names or, whatever these are and wherever in a file they begin,
 * by their bytes: neither one of them nor all together may pack much smaller once more (`docs/security-checks.md` S31).
 */
export class PackedCheck {
  readonly #all = { uncompressedSize: 0, compressedSize: 0 }

  /** `file` is its name, and by what it is an archive. */
  add(sizes: Sizes, file: string): void {
    this.#all.uncompressedSize += sizes.uncompressedSize
    this.#all.compressedSize += sizes.compressedSize
    if (isBomb(sizes)) throw bomb('an archive in it that is', `${file}; pack it tighter or leave it out`)
    if (isBomb(this.#all))
      throw bomb(
        'archives in it that together are',
        `the last is ${file}; pack them tighter or leave some out`,
      )
  }
}

const bomb = (what: string, which: string) =>
  new ArchiveRefused(`has ${what} packed more than ${RATIO_OF_PACKED} times smaller once more: ${which}`)

const packsAgain = ({ uncompressedSize, compressedSize }: Sizes) =>
  uncompressedSize > compressedSize * RATIO_OF_PACKED

const isBomb = (sizes: Sizes) => sizes.uncompressedSize > SMALL_PACKED && packsAgain(sizes)
