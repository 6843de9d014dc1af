import type { TestContext } from 'node:test'
import { sql, type ColumnMetadata, type Kysely, type TableMetadata } from 'kysely'
import { connect } from '../src/db/connect.ts'
import type { Database, DatabaseOptions, Writer } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { createEmptyDatabase } from './database.ts'

/** Tables with their columns, as the database itself says. */
export type Shape = readonly TableMetadata[]

type AnyTables = Kysely<Record<string, Record<string, unknown>>>

const anyOf = (db: unknown) => db as AnyTables

/** The tables of a database but the one that holds the number of its schema. */
export async function shapeOf({ reader }: Database): Promise<Shape> {
  const tables = await anyOf(reader).introspection.getTables()
  return tables.filter(({ name }) => name !== 'schema_version')
}

/** A database as it was at a schema, full of rows, to which `more` are added; and what `environment` those have after the upgrade. */
export async function environmentsAfter(
  t: TestContext,
  name: string,
  { from, table, more }: { from: number; table: 'events' | 'mails'; more: (db: Writer) => Promise<void> },
): Promise<(0 | 1)[]> {
  const { database, drop } = await createEmptyDatabase(name)
  t.after(drop)
  await migrate(database, from)
  await fill(database, await shapeOf(database))
  await database.transaction(more)
  await migrate(database)
  const { reader } = database
  const rows = await reader
    .selectFrom(table)
    .select('environment')
    .where('id', '>', 2)
    .orderBy('id')
    .execute()
  return rows.map(({ environment }) => environment)
}

/** Two rows in each of these tables, of which the n-th refer to one another: a value in every column that may have one. */
export async function fill(database: Database, tables: Shape): Promise<void> {
  await database.transaction(async (db) => {
    await (database.engine === 'sqlite'
      ? sql`pragma defer_foreign_keys = on`.execute(db)
      : sql`set local session_replication_role = replica`.execute(db))
    for (const { name, columns } of tables) {
      const rows = [1, 2].map((n) =>
        Object.fromEntries(columns.map((column) => [column.name, valueOf(name, column, n)])),
      )
      await anyOf(db)
        .insertInto(name)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })
}

const TIME =
  /^(?:created|updated|expiration|next_payment|period_\w+|trial_ends|upgraded)$|_(?:at|until|time)$/

function valueOf(table: string, { name, dataType }: ColumnMetadata, n: number): unknown {
  // A coupon is of a product or of a store.
  if (table === 'coupons' && name === 'store_id') return null
  if (/blob|bytea/.test(dataType)) return Buffer.from([n])
  if (dataType === 'text') return TIME.test(name) ? `2026-01-3${n - 1} 10:00:00` : `${name} ${n}`
  return /(?:^|_)id$|^seq$/.test(name) ? n : n % 2
}

/** Every value of these tables and columns, as text; in one statement, as there each is a way to a server and back. */
export async function valuesOf(
  { engine, reader }: Database,
  tables: Shape,
): Promise<Readonly<Record<string, string>>> {
  if (tables.length === 0) return {}
  const parts = tables.map(({ name, columns }) => {
    const names = columns.map((column) => sql`cast(${sql.ref(column.name)} as text)`)
    const row =
      engine === 'sqlite' ? sql`json_array(${sql.join(names)})` : sql`(array[${sql.join(names)}])::text`
    return sql`select ${sql.lit(name)} as name, ${row} as value from ${sql.table(name)}`
  })
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from (${sql.join(parts, sql` union all `)}) as parts order by name, value`.execute(
    anyOf(reader),
  )
  const contents: Record<string, string> = {}
  for (const { name, value } of rows) contents[name] = `${contents[name] ?? ''}${value}\n`
  return contents
}

/** Everything that makes a schema: tables, columns, indexes, triggers and constraints, as text in one order. */
export async function schemaText({ engine, reader }: Database): Promise<string> {
  const { rows } = await (engine === 'sqlite' ? SQLITE : POSTGRES).execute(anyOf(reader))
  return rows.map(({ text }) => text).join('\n')
}

const SQLITE = sql<{ text: string }>`
  select sql as text from sqlite_schema where sql is not null and name <> 'schema_version' order by name`

const POSTGRES = sql<{ text: string }>`
  select text from (
    select concat_ws(' ', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attcollation,
        attnotnull, attidentity, pg_get_expr(adbin, adrelid)) as text
      from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = current_schema()::regnamespace) as parts
  order by text collate "C"`

/** A process on a database whose statements fail from the n-th on, counted anew each time; 0: none does. */
export function failingProcess(options: DatabaseOptions) {
  let seen = 0
  let first = 0
  const onStatement = (statement: string) => {
    // A transaction that waits for another connection begins more than once.
    if (statement.startsWith('begin')) return
    seen++
    if (first > 0 && seen >= first) throw new Error('killed')
  }
  const database = connect({ ...options, onStatement })
  const failFrom = (n: number) => {
    seen = 0
    first = n
  }
  return { database, failFrom, seen: () => seen }
}
