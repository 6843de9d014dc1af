import type { Files } from './moved-base.ts'

/** A row that is not taken, and what is said of it. */
export interface BadCase {
  readonly what: string
  readonly kind: string
  /** Changes the files, and says in which line of the kind it is wrong; 1 unless given. */
  readonly change: (files: Files) => unknown
  readonly line?: number
  readonly column: string | null
  readonly reason: string
}

/** Changes a row of a kind, the first unless said. */
export const set =
  (kind: string, change: object, n = 0) =>
  (files: Files) =>
    Object.assign(files[kind]?.[n] ?? {}, change)
/** Leaves a column of the first row out. */
export const drop = (kind: string, column: string) => (files: Files) => delete files[kind]?.[0]?.[column]
/** Adds a row like another one, but for a change. */
export const push =
  (kind: string, change: object, n = 0) =>
  (files: Files) =>
    files[kind]?.push({ ...files[kind]?.[n], ...change })

/** A case of the first row, of which the first column that is changed is wrong. */
export const one = (kind: string, change: object, reason: string, what: string): BadCase => ({
  what,
  kind,
  change: set(kind, change),
  column: Object.keys(change)[0] ?? null,
  reason,
})
