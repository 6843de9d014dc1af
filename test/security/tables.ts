import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Writer } from '../../src/db/database.ts'
import { testEngine } from '../database.ts'
import { filledOf } from '../whole-database.ts'

export type Row = Readonly<Record<string, unknown>>
export type Dump = ReadonlyMap<string, readonly Row[]>

/** Tables in which answering a request leaves its own traces, allowed or not. */
export const TRACES = new Set([
  'account_customers',
  'audit_log',
  'count_changes',
  'counts',
  'idempotency_keys',
  'jobs',
  'list_marks',
  'login_failures',
  'mail_counts',
  'refusals',
])

/** What the server notes about a credential beside the requests. */
const NOTES = new Set(['last_used_at', 'last_used_ip', 'last_used_agent'])

const noted = (name: string, value: unknown) => (NOTES.has(name) ? null : value)

/** Asked for once a database, which has the same tables for as long as a test uses it. */
const tablesOf = new WeakMap<Database, readonly string[]>()

/** Every row of every table the database has, known to the code or not; `without` names tables to leave out. */
export const dumpOf = (database: Database, without: ReadonlySet<string> = new Set()): Promise<Dump> =>
  database.transaction(async (db) => {
    const names = tablesOf.get(database) ?? (await db.introspection.getTables()).map(({ name }) => name)
    tablesOf.set(database, names)
    const wanted = names.toSorted().filter((name) => !without.has(name))
    const found = await (testEngine() === 'postgres' ? rowsAtOnce(db, wanted) : rowsInTurn(db, wanted))
    const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => (textOfRow(a) < textOfRow(b) ? -1 : 1))
    return new Map(wanted.map((name) => [name, inOrder(found.get(name) ?? [])]))
  })

type Rows = ReadonlyMap<string, readonly Row[]>

async function rowsInTurn(db: Writer, names: readonly string[]): Promise<Rows> {
  const found = new Map<string, readonly Row[]>()
  for (const name of await filledOf(db, names)) {
    const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(db)
    for (const row of rows) texts.set(row, JSON.stringify(row))
    found.set(name, rows)
  }
  return found
}

/** One statement, as every way to the server and back takes its time. */
async function rowsAtOnce(db: Writer, names: readonly string[]): Promise<Rows> {
  const each = names.map(
    (name) => sql`select ${sql.lit(name)} as name, row_to_json(x)::text as text from ${sql.table(name)} x`,
  )
  const { rows } = await sql<{ name: string; text: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  const found = new Map<string, Row[]>()
  for (const { name, text } of rows) {
    const row = JSON.parse(text) as Row
    texts.set(row, text)
    const known = found.get(name)
    if (known) known.push(row)
    else found.set(name, [row])
  }
  return found
}

/** Kept, as most rows of a dump are looked at more than once. */
const texts = new WeakMap<Row, string>()
const textOfRow = (row: Row): string => texts.get(row) ?? JSON.stringify(row)

interface Column {
  readonly name: string
  /** Whether it keeps text, not a number. */
  readonly isText: boolean
}

/** The columns of every table. */
export const columnsOf = (database: Database): Promise<Column[]> =>
  database.transaction(async (db) => {
    const tables = await db.introspection.getTables()
    return tables.flatMap(({ columns }) =>
      columns.map(({ name, dataType }) => ({ name, isText: /text|char/i.test(dataType) })),
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
export const changesBetween = (before: Dump, after: Dump): Change[] =>
  [...after].flatMap(([table, rows]) => {
    const old = differing(before.get(table) ?? [], rows)
    const now = differing(rows, before.get(table) ?? [])
    const known = new Map(old.map((row) => [keyOf(row), row]))
    const kept = new Set(now.map(keyOf))
    const removed = old
      .filter((row) => !kept.has(keyOf(row)))
      .map((row) => ({ table, before: row, after: {} }))
    const written = now
      .map((row) => ({ table, before: known.get(keyOf(row)), after: row }))
      .filter((change) => JSON.stringify(change.before, noted) !== JSON.stringify(change.after, noted))
    return [...removed, ...written]
  })

/** The rows that do not stand in the other list exactly so. */
function differing(rows: readonly Row[], other: readonly Row[]): Row[] {
  const same = new Set(other.map(textOfRow))
  return rows.filter((row) => !same.has(textOfRow(row)))
}

/** There is one of each in a product or store, so what removes them needs them again. */
const ONE_OF_A_KIND = new Set(['settings', 'email_addresses'])

/** Writes back what rows had before they were changed, and what is one of a kind; others that were added or removed stay so. */
export const restore = (database: Database, changes: readonly Change[]): Promise<void> =>
  database.transaction(async (db) => {
    const gone = new Set(changes.filter(isRemoval).map(({ before }) => before?.['id']))
    for (const { table, before, after } of changes) {
      if (!before) continue
      if (Object.keys(after).length === 0) {
        if (ONE_OF_A_KIND.has(table)) await insert(db, table, before)
        continue
      }
      const written = Object.entries(before).filter(
        ([column, value]) =>
          (table !== 'events' || column !== 'seq') && !(column === 'install_id' && gone.has(value)),
      )
      const values = written.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      const key = keysOf(before).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${sql.table(table)} set ${sql.join(values)} where ${sql.join(key, sql` and `)}`.execute(
        db,
      )
    }
  })

/** An install that was removed stays so: what named it names it no more. */
const isRemoval = ({ table, after }: Change) => table === 'installs' && Object.keys(after).length === 0

const insert = (db: Writer, table: string, row: Row) =>
  sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
      values (${sql.join(Object.values(row))})`.execute(db)

/** What tells rows apart that have no id. */
const KEYS = [
  'name',
  'email_folded',
  'developer_id',
  'environment',
  'kind',
  'product_id',
  'user_id',
  'bundle_id',
  'person_id',
  'uid',
  'address',
  'proof_hash',
  'user_key_id',
  'install_id',
  'license_id',
]

const keysOf = (row: Row): [column: string, value: unknown][] =>
  Object.entries(row).filter(([column]) => ('id' in row ? column === 'id' : KEYS.includes(column)))

const keyOf = (row: Row) => JSON.stringify(keysOf(row))
