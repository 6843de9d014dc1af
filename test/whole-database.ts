import { sql, type Kysely } from 'kysely'
import type { Database } from '../src/db/database.ts'

/** The rows of each table as text, in one order. */
export type Contents = Readonly<Record<string, string>>

/** What requests leave behind by themselves: who called, and when. */
const ASIDE = new Set(['api_tokens', 'audit_log', 'audit_chain', 'mail_counts'])

/** Everything that a database has but what requests leave behind by themselves. */
export const contentsOf = (database: Database): Promise<Contents> => read(database, ASIDE)

/** Everything that a database has. */
export const allOf = (database: Database): Promise<Contents> => read(database, new Set())

function read({ engine, reader }: Database, aside: ReadonlySet<string>): Promise<Contents> {
  const db = reader as unknown as Kysely<unknown>
  return engine === 'sqlite' ? tableByTable(db, aside) : atOnce(db, aside)
}

async function tableByTable(db: Kysely<unknown>, aside: ReadonlySet<string>): Promise<Contents> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(db)
  const names = tables.rows.map(({ name }) => name).filter((name) => !aside.has(name))
  const contents = Object.fromEntries(names.map((name) => [name, '']))
  for (const name of await filledOf(db, names)) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
    const texts = rows.map((row) => JSON.stringify(row, plain))
    contents[name] = texts.toSorted().join('\n')
  }
  return contents
}

/** Most are empty in any test, and one statement says which. */
export async function filledOf<T>(db: Kysely<T>, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const parts = names.map(
    (name) => sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** In one statement: there each would be a way to the server and back. */
async function atOnce(db: Kysely<unknown>, aside: ReadonlySet<string>): Promise<Contents> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const parts = tables.rows
    .filter(({ name }) => !aside.has(name))
    .map(({ name }) => {
      const rows = sql`(select string_agg(t::text, e'\n' order by t::text) from ${sql.table(name)} t)`
      return sql`select ${sql.lit(name)} as name, coalesce(${rows}, '') as text`
    })
  const { rows } = await sql<{ name: string; text: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]))
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** The names of the tables that differ. */
export const changedTables = (before: Contents, after: Contents, aside: readonly string[] = []): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name] && !aside.includes(name))
