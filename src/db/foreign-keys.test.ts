import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { createTestDatabase, testEngine, type TestDatabase } from '../../test/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase('foreign_keys')
})
after(() => own.drop())

interface Indexed {
  readonly table: string
  readonly column: string
  readonly target: string
  /** Of the indexes that begin with the column: empty where all rows are in it, or which are. */
  readonly conditions: readonly string[]
}

const SQLITE_KEYS = sql<{ table: string; column: string; target: string }>`
  select t.name as "table", fk."from" as "column", fk."table" as target
  from sqlite_schema as t, pragma_foreign_key_list(t.name) as fk where t.type = 'table'`

const SQLITE_INDEXES = sql<{ table: string; column: string; condition: string }>`
  select t.name as "table", info.name as "column",
    case when list.partial = 0 then ''
      else substr(i.sql, instr(lower(i.sql), ' where ') + 7) end as condition
  from sqlite_schema as t, pragma_index_list(t.name) as list, pragma_index_info(list.name) as info
  left join sqlite_schema as i on i.type = 'index' and i.name = list.name
  where t.type = 'table' and info.seqno = 0
  union all select t.name, pk.name, '' from sqlite_schema as t, pragma_table_info(t.name) as pk
  where t.type = 'table' and pk.pk = 1`

const POSTGRES_KEYS = sql<{ table: string; column: string; target: string }>`
  select c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as target
  from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`

const POSTGRES_INDEXES = sql<{ table: string; column: string; condition: string }>`
  select i.indrelid::regclass::text as "table", a.attname as "column",
    coalesce(pg_get_expr(i.indpred, i.indrelid), '') as condition
  from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
  join pg_class as k on k.oid = i.indrelid where k.relnamespace = current_schema()::regnamespace`

async function foreignKeys(): Promise<Indexed[]> {
  const db = own.database.reader as unknown as Kysely<unknown>
  const isSqlite = testEngine() === 'sqlite'
  const keys = (await (isSqlite ? SQLITE_KEYS : POSTGRES_KEYS).execute(db)).rows
  const indexes = (await (isSqlite ? SQLITE_INDEXES : POSTGRES_INDEXES).execute(db)).rows
  return keys.map((key) => ({
    ...key,
    conditions: indexes
      .filter(({ table, column }) => table === key.table && column === key.column)
      .map(({ condition }) =>
        condition
          .replaceAll(/[()"\s]+/g, ' ')
          .trim()
          .toLowerCase(),
      ),
  }))
}

/** Rows that are never removed, and whose ids never change: nobody looks for what names them. */
const KEPT: ReadonlySet<string> = new Set(['developers', 'products', 'sites', 'stores'])

test('every foreign key is the first column of an index of all rows that have it', async () => {
  const keys = await foreignKeys()
  assert.ok(keys.length > 100, String(keys.length))
  const unindexed = keys
    .filter(({ target }) => !KEPT.has(target))
    .filter(
      ({ column, conditions }) => !conditions.some((one) => one === '' || one === `${column} is not null`),
    )
    .map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(unindexed, [])
})
