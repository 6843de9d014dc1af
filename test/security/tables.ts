import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Writer } from '../../src/db/database.ts'

export type Row = Readonly<Record<string, unknown>>
export type Dump = ReadonlyMap<string, readonly Row[]>

/** Tables in which answering a request leaves its own traces, allowed or not. */
export const TRACES = new Set(['audit_log', 'idempotency_keys', 'jobs', 'list_marks', 'login_failures'])

/** What the server notes about a credential beside the requests. */
const NOTES = new Set(['last_used_at'])

const noted = (name: string, value: unknown) => (NOTES.has(name) ? null : value)

/** Asked for once a database, which has the same tables for as long as a test uses it. */
const tablesOf = new WeakMap<Database, readonly string[]>()

/** Every row of every table the database has, known to the code or not; `without` names tables to leave out. */
export const dumpOf = (database: Database, without: ReadonlySet<string> = new Set()): Promise<Dump> =>
  database.transaction(async (db) => {
    const names = tablesOf.get(database) ?? (await db.introspection.getTables()).map(({ name }) => name)
    tablesOf.set(database, names)
    const dump = new Map<string, readonly Row[]>()
    for (const name of names.toSorted()) {
      if (without.has(name)) continue
      const { rows } = await sql<Row>`select * from ${sql.table(name)} `.execute(db)
      const texts = rows.map((row) => ({ row, text: JSON.stringify(row) }))
      const sorted = texts.toSorted((a, b) => (a.text < b.text ? -1 : 1))
      dump.set(
        name,
        sorted.map(({ row }) => row),
      )
    }
    return dump
  })

/** `table.column` of everything that is kept. */
export const columnsOf = (database: Database): Promise<{ table: string; column: string }[]> =>
  database.transaction(async (db) => {
    const tables = await db.introspection.getTables()
    return tables.flatMap(({ name, columns }) =>
      columns.map((column) => ({ table: name, column: column.name })),
    )
  })

/** One hash over every row but the traces: equal exactly when nothing was stored, changed or removed. */
export async function stateOf(database: Database): Promise<string> {
  const text = textOf(await dumpOf(database, TRACES), noted)
  return createHash('sha256').update(text).digest('hex')
}

export const textOf = (dump: Dump, replace?: (name: string, value: unknown) => unknown): string =>
  [...dump]
    .map(([table, rows]) => `${table}\n${rows.map((row) => JSON.stringify(row, replace)).join('\n')}`)
    .join('\n')

export interface Change {
  readonly table: string
  readonly before: Row | undefined
  /** Empty for a row that was removed. */
  readonly after: Row
}

/** The rows that were added, changed or removed from one dump to the next. */
export function changesBetween(before: Dump, after: Dump): Change[] {
  return [...after].flatMap(([table, rows]) => {
    const old = before.get(table) ?? []
    const known = new Map(old.map((row) => [keyOf(row), row]))
    const kept = new Set(rows.map(keyOf))
    const removed = old
      .filter((row) => !kept.has(keyOf(row)))
      .map((row) => ({ table, before: row, after: {} }))
    const written = rows
      .map((row) => ({ table, before: known.get(keyOf(row)), after: row }))
      .filter((change) => JSON.stringify(change.before, noted) !== JSON.stringify(change.after, noted))
    return [...removed, ...written]
  })
}

/** There is one of each in a product or store, so what removes them needs them again. */
const ONE_OF_A_KIND = new Set(['settings', 'email_addresses'])

/** Writes back what rows had before they were changed, and what is one of a kind; others that were added or removed stay so. */
export const restore = (database: Database, changes: readonly Change[]): Promise<void> =>
  database.transaction(async (db) => {
    for (const { table, before, after } of changes) {
      const id = before?.['id']
      if (!before || id === undefined) continue
      if (Object.keys(after).length === 0) {
        if (ONE_OF_A_KIND.has(table)) await insert(db, table, before)
        continue
      }
      const values = Object.entries(before).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${sql.table(table)} set ${sql.join(values)} where id = ${id}`.execute(db)
    }
  })

const insert = (db: Writer, table: string, row: Row) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
      values (${sql.join(Object.values(row))})`.execute(db)

const keyOf = (row: Row) => String(row['id'] ?? JSON.stringify([row['product_id'], row['user_id']]))
