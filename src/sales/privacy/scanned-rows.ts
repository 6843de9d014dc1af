import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import type { Tables } from '../../db/tables/tables.ts'
import { escapeLike } from '../../lib/fold.ts'
import type { Person } from './person.ts'

/** Texts that may name the address of a person, whoever's row they stand in. */
export interface ScannedTexts {
  readonly table: keyof Tables
  readonly columns: readonly string[]
  /** By which column the rows of the seller are known; absent: they are the server's. */
  readonly by?: 'product_id' | 'developer_id'
}

export const SCANNED_TEXTS: readonly ScannedTexts[] = [
  { table: 'events', columns: ['data'], by: 'developer_id' },
  { table: 'notes', columns: ['note'], by: 'product_id' },
  {
    table: 'reviews',
    columns: ['title', 'text', 'name', 'company', 'profile_url', 'company_url'],
    by: 'product_id',
  },
  { table: 'payments', columns: ['refund_reason'], by: 'product_id' },
  { table: 'charges', columns: ['details'], by: 'product_id' },
  { table: 'checkouts', columns: ['kept', 'seen', 'url', 'redirect_url'], by: 'product_id' },
  { table: 'carts', columns: ['url'], by: 'product_id' },
  { table: 'refusals', columns: ['url', 'message'], by: 'product_id' },
  { table: 'uninstalls', columns: ['reason_info', 'reason_folded'], by: 'product_id' },
  { table: 'installs', columns: ['title', 'url'], by: 'product_id' },
  { table: 'delivery_attempts', columns: ['error'], by: 'product_id' },
  { table: 'mails', columns: ['last_error'], by: 'developer_id' },
  { table: 'exports', columns: ['error'], by: 'developer_id' },
  { table: 'bulks', columns: ['error'], by: 'developer_id' },
  { table: 'imports', columns: ['error'], by: 'developer_id' },
  { table: 'gateway_events', columns: ['report'] },
  { table: 'failed_rows', columns: ['last_error'] },
  { table: 'jobs', columns: ['last_error'] },
]

/** A row with such a text, by its columns. */
export type ScannedRow = { readonly id: number } & Readonly<Record<string, string | number | null>>

/** Rows that one look goes over. */
const SPAN = 20_000

export interface Look {
  readonly rows: readonly ScannedRow[]
  /** The last id that was looked at; null: there are no more. */
  readonly last: number | null
}

/** Whether a column has one of the forms, as SQL. */
export const hasAny = (column: string, forms: readonly string[]) =>
  sql<boolean>`(${sql.join(
    forms.map((form) => sql`lower(${sql.ref(column)}) like ${`%${escapeLike(form)}%`} escape '\\'`),
    sql` or `,
  )})`

/** The rows after `after` that name one of the forms, some thousand looked at; give it `database.background`. */
export async function lookThrough(
  db: Reader,
  { table, columns, by }: ScannedTexts,
  {
    person,
    forms,
    after,
  }: { readonly person: Person; readonly forms: readonly string[]; readonly after: number },
): Promise<Look> {
  const whose =
    by === undefined
      ? sql`1 = 1`
      : by === 'developer_id'
        ? sql`developer_id = ${person.developerId}`
        : sql`product_id in (select id from products where developer_id = ${person.developerId})`
  const names = sql.join(['id', ...columns].map((name) => sql.ref(name)))
  const span = sql`(select ${names} from ${sql.table(table)} where ${whose} and id > ${after} order by id limit ${SPAN})`
  const named = sql.join(
    columns.map((column) => hasAny(column, forms)),
    sql` or `,
  )
  const { rows } = await sql<ScannedRow>`select * from ${span} as span where ${named} order by id`.execute(
    db as Writer,
  )
  const { rows: ends } = await sql<{ last: number | null; found: number }>`
    select max(id) as last, count(*) as found from (
      select id from ${sql.table(table)} where ${whose} and id > ${after} order by id limit ${SPAN}) as span`.execute(
    db as Writer,
  )
  const [end] = ends
  return { rows, last: end && Number(end.found) === SPAN ? Number(end.last) : null }
}

/** Writes a text of a row anew, unless another one stands there meanwhile; whether it was written. */
export async function rewriteText(
  db: Writer,
  { table, column, id }: { readonly table: keyof Tables; readonly column: string; readonly id: number },
  texts: { readonly before: string; readonly now: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${texts.now}
    where id = ${id} and ${sql.ref(column)} = ${texts.before}`.execute(db)
  return numAffectedRows === 1n
}
