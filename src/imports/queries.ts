import { sql, type RawBuilder } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import { heldUntilEnd } from '../db/hold.ts'
import { inList } from '../db/in-list.ts'
import type { Cells } from '../db/many-rows.ts'
import { unscoped } from '../db/scoped.ts'
import type { Kind, Unique, Value, Values } from './kinds/column.ts'
import { kindOf } from './kinds/kinds.ts'

/** Whose rows are moved, and what of the account most of them are found by. */
export interface Account {
  readonly developerId: number
  readonly productIds: readonly number[]
  readonly storeIds: readonly number[]
}

export type StoredRow = Readonly<Record<string, Value | Uint8Array>>

const WHOLE = 'an account is moved as a whole'

const writer = (db: Reader) => db as Writer
const refIn = (table: string, column: string) => sql.ref(`${table}.${column}`)
const listOf = (values: readonly Value[]) => sql.join(values.map((value) => sql`${value}`))

/** The account, with the ids of its products and stores; undefined where there is none. */
export async function findAccount(db: Reader, developerId: number): Promise<Account | undefined> {
  const found = await unscoped(db, WHOLE)
    .selectFrom('developers')
    .select('id')
    .where('id', '=', developerId)
    .executeTakeFirst()
  if (!found) return undefined
  const idsOf = async (table: 'products' | 'stores') =>
    (
      await unscoped(db, WHOLE)
        .selectFrom(table)
        .select('id')
        .where('developer_id', '=', developerId)
        .execute()
    ).map(({ id }) => id)
  return { developerId, productIds: await idsOf('products'), storeIds: await idsOf('stores') }
}

export const findEmail = async (db: Reader, developerId: number): Promise<string> =>
  (
    await unscoped(db, WHOLE)
      .selectFrom('developers')
      .select('email')
      .where('id', '=', developerId)
      .executeTakeFirstOrThrow()
  ).email

/** That a row of a kind is of the account. */
function isOwned(kind: Kind, account: Account): RawBuilder<boolean> {
  const ways = kind.ownedBy.map(({ column, of }) => {
    const ref = refIn(kind.table, column)
    if (of === null) return sql<boolean>`${ref} = ${account.developerId}`
    if (of === 'products') return sql<boolean>`${ref} in (${listOf(inList(account.productIds))})`
    if (of === 'stores') return sql<boolean>`${ref} in (${listOf(inList(account.storeIds))})`
    const above = kindOf(of)
    return sql<boolean>`exists (select 1 from ${sql.table(above.table)}
      where ${refIn(above.table, 'id')} = ${ref} and ${isOwned(above, account)})`
  })
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

const columnsOf = (kind: Kind) =>
  sql.join(Object.keys(kind.columns).map((column) => refIn(kind.table, column)))
const keyColumns = (kind: Kind) => kind.key.map((column) => refIn(kind.table, column))

/** How many rows of a kind an account has. */
export async function countRows(db: Reader, kind: Kind, account: Account): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(kind.table)}
    where ${isOwned(kind, account)}`.execute(writer(db))
  return Number(rows[0]?.count)
}

/** Some rows of a kind in the order of their keys, after one of them. */
export async function rowsAfter(
  db: Reader,
  kind: Kind,
  account: Account,
  { after, count }: { readonly after: readonly Value[] | null; readonly count: number },
): Promise<StoredRow[]> {
  const key = keyColumns(kind)
  // Without it SQLite sorts all rows of the account to find the first.
  const from = after ?? (kind.key.length === 1 && kind.key[0] === 'id' ? [0] : null)
  const isAfter = from === null || key.length === 0 ? sql`` : sql`and (${sql.join(key)}) > (${listOf(from)})`
  const order = key.length === 0 ? sql`` : sql`order by ${sql.join(key)}`
  const { rows } = await sql<StoredRow>`select ${columnsOf(kind)} from ${sql.table(kind.table)}
    where ${isOwned(kind, account)} ${isAfter} ${order} limit ${count}`.execute(writer(db))
  return rows
}

/**
 * The rows of a kind with these keys, whosever they are; `is_owned` says which are of the account. `isHeld`: until the end
 * of the transaction nobody changes them, or adds what refers to them.
 */
export async function rowsByKey(
  db: Reader,
  kind: Kind,
  account: Account,
  { keys, isHeld }: { readonly keys: readonly (readonly Value[])[]; readonly isHeld: boolean },
): Promise<(StoredRow & { readonly is_owned: 0 | 1 })[]> {
  if (keys.length === 0) return []
  const which =
    kind.key.length === 0
      ? isOwned(kind, account)
      : isAmong(
          kind.key.map((column) => refIn(kind.table, column)),
          keys,
        )
  const { rows } = await sql<StoredRow & { readonly is_owned: 0 | 1 }>`select ${columnsOf(kind)},
    case when ${isOwned(kind, account)} then 1 else 0 end as is_owned
    from ${sql.table(kind.table)} where ${which} ${isHeld ? heldUntilEnd(db, kind.table, keyColumns(kind)) : sql``}`.execute(
    writer(db),
  )
  return rows
}

/** That some columns have the values of one of some rows. A value that is alone says no type by itself. */
function isAmong(
  columns: readonly RawBuilder<unknown>[],
  rows: readonly (readonly Value[])[],
): RawBuilder<boolean> {
  const [only] = columns
  if (columns.length === 1 && only)
    return sql<boolean>`${only} in (${listOf(rows.map(([value = null]) => value))})`
  const typed = (value: Value) =>
    typeof value === 'string' ? sql`cast(${value} as text)` : sql`cast(${value} as bigint)`
  const values = rows.map((row) => sql`(${sql.join(row.map(typed))})`)
  return sql<boolean>`(${sql.join(columns)}) in (values ${sql.join(values)})`
}

const uniqueColumns = ({ table }: Kind, { columns, nullIs0 }: Unique) =>
  columns.map((column) =>
    column === nullIs0 ? sql`coalesce(${refIn(table, column)}, 0)` : refIn(table, column),
  )

/** Of rows that are unique in some columns, those that are taken: their values, and the key of who has them. */
export async function findTaken(
  db: Reader,
  kind: Kind,
  unique: Unique,
  { account, values }: { readonly account: Account; readonly values: readonly (readonly Value[])[] },
): Promise<StoredRow[]> {
  if (values.length === 0) return []
  const columns = uniqueColumns(kind, unique)
  const named = columns.map((column, n) => sql`${column} as ${sql.ref(`value_${n}`)}`)
  const key = kind.key.map((column) => refIn(kind.table, column))
  const { rows } = await sql<StoredRow>`select ${sql.join([...named, ...key])} from ${sql.table(kind.table)}
    where ${isAmong(columns, values)}
      ${unique.sql === undefined ? sql`` : sql`and ${sql.raw(unique.sql)}`}
      ${unique.inAccount ? sql`and ${refIn(kind.table, 'developer_id')} = ${account.developerId}` : sql``}`.execute(
    writer(db),
  )
  return rows
}

/** Of rows that are referred to, those that are there, with their product (0: it has none) and whether they are ours. */
export async function findReferred(
  db: Reader,
  kind: Kind,
  account: Account,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly product: number; readonly is_owned: 0 | 1 }[]> {
  const product = 'product_id' in kind.columns ? refIn(kind.table, 'product_id') : sql`0`
  const { rows } = await sql<{ id: number; product: number; is_owned: 0 | 1 }>`select
    ${refIn(kind.table, 'id')} as id, coalesce(${product}, 0) as product,
    case when ${isOwned(kind, account)} then 1 else 0 end as is_owned
    from ${sql.table(kind.table)} where ${refIn(kind.table, 'id')} in (${listOf(inList(ids))})`.execute(
    writer(db),
  )
  return rows
}

/** The subscriptions of an account that this server renews, with their methods. */
export const findRenewed = (db: Reader, developerId: number) =>
  unscoped(db, WHOLE)
    .selectFrom('subscriptions')
    .innerJoin('products', 'products.id', 'subscriptions.product_id')
    .select(['subscriptions.id', 'subscriptions.gateway', 'subscriptions.payment_method_id'])
    .where('products.developer_id', '=', developerId)
    .where('subscriptions.is_elsewhere', '=', false)
    .where('subscriptions.gateway', 'is not', null)
    .where('subscriptions.payment_method_id', 'is not', null)
    .$narrowType<{ gateway: string; payment_method_id: number }>()
    .execute()

/** The names and addresses of persons, from which their places in products have folded ones. */
export const findPersons = (db: Reader, ids: readonly number[]) =>
  unscoped(db, 'persons that the account has, as their places in products were looked at before')
    .selectFrom('users')
    .select(['id', 'email_folded', 'first', 'last'])
    .where('id', 'in', inList(ids))
    .execute()

/** Of folded addresses those that persons of an account have. */
export const findPersonsByEmail = (db: Reader, developerId: number, folded: readonly string[]) =>
  unscoped(db, WHOLE)
    .selectFrom('users')
    .select(['id', 'email_folded'])
    .where('developer_id', '=', developerId)
    .where('email_folded', 'in', inList(folded))
    .execute()

/** Of addresses those that sites of an account have. */
export const findSitesByAddress = (db: Reader, developerId: number, addresses: readonly string[]) =>
  unscoped(db, WHOLE)
    .selectFrom('sites')
    .select(['id', 'address'])
    .where('developer_id', '=', developerId)
    .where('address', 'in', inList(addresses))
    .execute()

/** Whether a table has a row that refers to an id. */
export async function isReferred(
  db: Reader,
  { table, column }: { readonly table: string; readonly column: string },
  id: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)}
    where ${refIn(table, column)} = ${id} limit 1`.execute(writer(db))
  return rows.length > 0
}

/** A column of a table that names rows of another one, and the type of those where it may be several. */
export interface Naming {
  readonly table: string
  readonly column: string
  readonly type?: string
}

/** Of these ids, those that a column of a table refers to. */
export async function referredIds(
  db: Reader,
  { table, column, type }: Naming,
  ids: readonly number[],
): Promise<number[]> {
  const ref = refIn(table, column)
  const isOfType = type === undefined ? sql`` : sql`and ${refIn(table, 'entity_type')} = ${type}`
  const { rows } = await sql<{ id: number }>`select distinct ${ref} as id from ${sql.table(table)}
    where ${ref} in (${listOf(inList(ids))}) ${isOfType}`.execute(writer(db))
  return rows.map(({ id }) => id)
}

const isKey = (kind: Kind, account: Account, row: Values): RawBuilder<boolean> =>
  kind.key.length === 0
    ? isOwned(kind, account)
    : sql<boolean>`${sql.join(
        kind.key.map((column) => sql`${sql.ref(column)} = ${row[column] ?? null}`),
        sql` and `,
      )}`

/** Gives a row of the account the values of a file. */
export async function updateRow(
  db: Writer,
  kind: Kind,
  account: Account,
  { row, cells }: { readonly row: Values; readonly cells: Cells },
): Promise<void> {
  const set = Object.entries(cells)
    .filter(([column]) => !kind.key.includes(column))
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  if (set.length === 0) return
  await sql`update ${sql.table(kind.table)} set ${sql.join(set)}
    where ${isKey(kind, account, row)} and ${isOwned(kind, account)}`.execute(db)
}

/** Removes rows of the account. */
export async function deleteRows(
  db: Writer,
  kind: Kind,
  account: Account,
  rows: readonly Values[],
): Promise<void> {
  if (rows.length === 0) return
  const keys = rows.map((row) => kind.key.map((column) => row[column] ?? null))
  const which =
    kind.key.length === 0
      ? isOwned(kind, account)
      : isAmong(
          kind.key.map((column) => refIn(kind.table, column)),
          keys,
        )
  await sql`delete from ${sql.table(kind.table)} where ${which} and ${isOwned(kind, account)}`.execute(db)
}

/** Removes the ledger postings of payments, which are made from these alone. */
export const deletePostings = (db: Writer, paymentIds: readonly number[]) =>
  unscoped(db, 'postings go with the payments of the account that they are of')
    .deleteFrom('postings')
    .where('payment_id', 'in', inList(paymentIds))
    .execute()
