import { readFileSync } from 'node:fs'

/** An argument of an operation. */
export interface Argument {
  readonly name: string
  readonly in: 'query' | 'body' | 'file'
  /** `time`: in UTC, as the interface has it, or with a zone. */
  readonly type: 'string' | 'time' | 'integer' | 'number' | 'boolean' | 'json'
  readonly choices?: readonly (string | number)[]
  readonly isRequired?: true
  /** `null` may be given. */
  readonly isNullable?: true
  readonly describe?: string
}

/** How the pages of a list follow one another: by how many are skipped, or by the last one that was read. */
export type PagedBy = 'offset' | 'before'

/** An operation as a command calls it. */
export interface Operation {
  /** `root`: of nobody, without a credential. */
  readonly scope: 'account' | 'product' | 'root'
  /** In a product: the token of that product may call it too. */
  readonly isOfToken?: true
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After the prefix of the scope. */
  readonly path: string
  readonly summary: string
  /** What the path names, in its order, with what each is. */
  readonly params: Readonly<Record<string, string>>
  readonly args: readonly Argument[]
  /** The key of a list in the answer. */
  readonly items?: string
  readonly pagedBy?: PagedBy
  /** The answer is a file of this type. */
  readonly produces?: string
}

/** A command: its operation, in the account first where there is one there and one in a product. */
export interface Entry {
  readonly noun: string
  /** Null: the noun by itself. */
  readonly verb: string | null
  readonly operations: readonly Operation[]
}

/** Where the table stands; `npm run commands` writes it. */
export const TABLE_FILE = new URL('operations.json', import.meta.url)

let table: readonly Entry[] | undefined

/** Every noun and verb, an entry a line. */
export const entries = (): readonly Entry[] =>
  (table ??= JSON.parse(readFileSync(TABLE_FILE, 'utf8')) as readonly Entry[])
