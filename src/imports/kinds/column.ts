import type { Tables } from '../../db/tables/tables.ts'
import { CURRENCIES } from '../../lib/money.ts'
import type { Fault } from '../codes.ts'

/** A value in a file: ids, amounts and counts are whole numbers, times and bytes are text. */
export type Value = string | number | boolean | null
export type Values = Readonly<Record<string, Value>>

/** How a text is written beyond its length. */
export type Form = 'address' | 'public key' | 'secret key' | 'license key' | 'sha256' | 'uid' | 'country'

interface Common {
  readonly null?: true
  /** What it is where a file does not have it; a column without one that is not null must be there. */
  readonly default?: Value
}

/** What a column of a file holds. */
export type Column = Common &
  (
    | { readonly type: 'id' }
    /** The id of a row of another kind; `isInProduct`: of one of the same product. */
    | { readonly type: 'reference'; readonly to: string; readonly isInProduct?: true }
    | { readonly type: 'text'; readonly max: number; readonly form?: Form }
    /** Kept sealed here, under the name of `place`; in clear in files. */
    | { readonly type: 'secret'; readonly place: string; readonly form?: Form; readonly max: number }
    /** `YYYY-MM-DD HH:MM:SS` in UTC. */
    | { readonly type: 'time' }
    | { readonly type: 'flag' }
    | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly unit?: string }
    | { readonly type: 'choice'; readonly of: readonly (string | number)[] }
    /** A list or an object as text. */
    | { readonly type: 'json' }
    /** Base64. */
    | { readonly type: 'bytes'; readonly max: number }
  )

/** Why a row cannot be taken: the code of the reason, and words that say what is wrong. */
export interface Wrong {
  readonly column: string | null
  readonly reason: Fault
  readonly message: string
}

/** What no two rows have in common. */
export interface Unique {
  readonly columns: readonly string[]
  /** Of these rows alone. */
  readonly where?: (row: Values) => boolean
  /** `where` in SQL of both databases. */
  readonly sql?: string
  /** The column of which null is the same as 0, as in the index. */
  readonly nullIs0?: string
  /** Beside each other in one account only, as the column of the account is no column of the file. */
  readonly inAccount?: true
}

/** How the rows of an account are found: by the account's own column, or as those of rows of another kind. */
export interface OwnedBy {
  readonly column: string
  /** Null: the column is that of the account. */
  readonly of: string | null
}

/** What is moved of a table: a file of its own, in the order of the list of kinds. */
export interface Kind {
  readonly name: string
  readonly table: keyof Tables
  /** What is in it, for the documents. */
  readonly says: string
  /** The columns that name a row; of a kind with one row an account there are none. */
  readonly key: readonly string[]
  /** One of them is enough. */
  readonly ownedBy: readonly OwnedBy[]
  readonly columns: Readonly<Record<string, Column>>
  /** Columns that move by themselves, and so do not say that a row was changed. */
  readonly unhashed: readonly string[]
  /** Columns of the table that no file has: the server makes them, or begins them anew. */
  readonly made: readonly string[]
  readonly unique: readonly Unique[]
  readonly rules: readonly ((row: Values) => Wrong | null)[]
  /** What a file may say in another way, as the columns have it; given to each row before it is read. */
  readonly told?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** An untouched row of the account with the same id gives way to that of the file. */
  readonly givesWay?: true
}

type Usual = 'name' | 'unique' | 'rules' | 'made' | 'unhashed' | 'key' | 'ownedBy'
type Given = Omit<Kind, Usual> & Partial<Pick<Kind, Usual>>

const OF_PRODUCT: readonly OwnedBy[] = [{ column: 'product_id', of: 'products' }]

/** A kind whose rows have an id and a product, unless it says otherwise. */
export const kind = (given: Given): Kind => ({
  name: given.table,
  key: ['id'],
  ownedBy: OF_PRODUCT,
  unique: [],
  rules: [],
  made: [],
  unhashed: [],
  ...given,
})

/** Above any id that a sequence of ours comes to by itself, and far below 2^53. */
export const MAX_ID = 10 ** 15 - 1
/** Above any amount and any count. */
const MAX_INTEGER = 10 ** 12

type Null = { readonly null?: true }
const nullable = <C extends Column>(column: C, options: Common): C => ({ ...column, ...options })
export const NULL: Null = { null: true }

export const id = (): Column => ({ type: 'id' })
export const to = (kindName: string, options: Null & { readonly isInProduct?: true } = {}): Column => ({
  type: 'reference',
  to: kindName,
  ...options,
})
export const inProduct = (kindName: string, options: Null = {}): Column =>
  to(kindName, { ...options, isInProduct: true })
export const text = (max = 2_048, options: Common & { readonly form?: Form } = {}): Column => ({
  type: 'text',
  max,
  ...options,
})
export const secret = (
  place: string,
  options: Null & { readonly form?: Form; readonly max?: number } = {},
): Column => ({ type: 'secret', place, max: 4_096, ...options })
export const time = (options: Common = {}): Column => nullable({ type: 'time' }, options)
export const flag = (options: Common = {}): Column => nullable({ type: 'flag' }, options)
export const integer = (
  options: Common & { readonly min?: number; readonly max?: number; readonly unit?: string } = {},
): Column => ({ type: 'integer', min: 0, max: MAX_INTEGER, ...options })
/** The id of a row that may be gone. */
export const named = (options: Common = {}): Column => integer({ min: 1, max: MAX_ID, ...options })
/** Minor units of the row's currency, or of US dollars where it has none. */
export const money = (options: Common & { readonly min?: number } = {}): Column =>
  integer({ unit: 'minor units', ...options })
/** Money that may be negative. */
export const moved = (options: Common = {}): Column => money({ min: -MAX_INTEGER, ...options })
export const choice = (of: readonly (string | number)[], options: Common = {}): Column => ({
  type: 'choice',
  of,
  ...options,
})
export const currency = (): Column => choice(CURRENCIES)
export const json = (options: Common = {}): Column => nullable({ type: 'json' }, options)
export const bytes = (max: number): Column => ({ type: 'bytes', max })
export const environment = (): Column => choice([0, 1], { default: 0 })
export const source = (): Column => choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { default: 0 })
export const created = { created: time() }
export const dates = { created: time(), updated: time({ null: true }) }
export const keyPair = (place: string) => ({
  public_key: text(64, { form: 'public key' }),
  secret_key: secret(place, { form: 'secret key', max: 64 }),
})

/** A rule over two times of a row: the second is not before the first. */
export const inOrder =
  (first: string, then: string) =>
  (row: Values): Wrong | null => {
    const [from, until] = [row[first] ?? null, row[then] ?? null]
    return from !== null && until !== null && until < from
      ? { column: then, reason: 'ends_before_start', message: `must not be before ${first}` }
      : null
  }

/** A rule that refuses the rows of which `isWrong` is true. */
export const refuses =
  (column: string, reason: Fault, message: string, isWrong: (row: Values) => boolean) =>
  (row: Values): Wrong | null =>
    isWrong(row) ? { column, reason, message } : null

/** A flag that is set where nothing is said. */
export const on = () => flag({ default: true })
/** A flag that is not set where nothing is said. */
export const off = () => flag({ default: false })
