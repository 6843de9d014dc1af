import { sql } from 'kysely'
import type { Engine, Writer } from './database.ts'
import type { Tables } from './tables/tables.ts'

/**
 * Has a table give out no id up to this one any more, so that rows with ids of their own can be written while others
 * add to it. An id that it has given out already stays as it is.
 */
export async function passIds(db: Writer, engine: Engine, table: keyof Tables, upTo: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select setval(sequence::regclass, ${sql.lit(upTo)})
      from (select pg_get_serial_sequence(${table}, 'id') as sequence) as named
      where ${sql.lit(upTo)} > (select coalesce(max(last_value), 0) from pg_sequences
        where schemaname = current_schema() and sequencename = ${`${table}_id_seq`})`.execute(db)
    return
  }
  await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
    where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
  await sql`update sqlite_sequence set seq = ${upTo} where name = ${table} and seq < ${upTo}`.execute(db)
}

export interface Reference {
  readonly table: string
  readonly column: string
  /** Whether the row goes, or lets go, when that which it names goes. */
  readonly follows: boolean
}

/** Which columns refer to the id of a table. */
export async function referencesTo(
  db: Writer,
  engine: Engine,
  table: keyof Tables,
): Promise<readonly Reference[]> {
  const { rows } =
    engine === 'postgres'
      ? await sql<Named>`select c.conrelid::regclass::text as of, a.attname as by, c.confdeltype::text as rule
          from pg_constraint as c
          join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype = 'f' and c.connamespace = current_schema()::regnamespace
            and c.confrelid::regclass::text = ${table}`.execute(db)
      : await sql<Named>`select t.name as of, fk."from" as by, fk.on_delete as rule
          from sqlite_schema as t, pragma_foreign_key_list(t.name) as fk
          where t.type = 'table' and fk."table" = ${table}`.execute(db)
  return rows.map(({ of, by, rule }) => ({ table: of, column: by, follows: FOLLOWS.has(rule) }))
}

interface Named {
  readonly of: string
  readonly by: string
  readonly rule: string
}

/** As the engines call it that a row goes or lets go. */
const FOLLOWS: ReadonlySet<string> = new Set(['CASCADE', 'SET NULL', 'c', 'n'])
