/** A page as the build made it: what its HTML names. Names are those of `files`. */
export interface BuiltPage {
  readonly script: string
  /** What the script loads at once. */
  readonly preloads: readonly string[]
  readonly styles: readonly string[]
  /** Stands in the page itself, before all that is loaded; empty: nothing does. */
  readonly head: string
}

/** A file of the build: `name-hash.ext`, so that what an address stands for never changes. */
export interface BuiltFile {
  readonly type: string
  /** Bytes, as it is and by encoding. */
  readonly size: number
  readonly br?: number
  readonly gzip?: number
}

/** What a build made out of the sources with the hash `source`. */
export interface Manifest {
  readonly source: string
  readonly pages: Readonly<Record<string, BuiltPage>>
  /** What the server runs to draw a page: names of modules in `files`. */
  readonly servers: Readonly<Record<string, string>>
  /** Addresses that never change, without the slash before them, and the file that stands there. */
  readonly fixed: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, BuiltFile>>
}
