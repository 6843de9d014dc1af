import { SqliteAdapter } from 'kysely'
import type { Writer } from './database.ts'
import { runnerOf } from './runner.ts'
import type { Tables } from './tables/tables.ts'

export type Cells = Readonly<Record<string, string | number | boolean | null | Uint8Array>>

/** Rows of one statement on SQLite: powers of two, so that there are few different statements. */
const MOST_ROWS = 32

/**
 * Inserts rows that all name the same columns, in their order, as fast as the engine takes them: a few statements on
 * SQLite, and one on PostgreSQL, which gets them as one text of JSON. A row that breaks a rule of the table fails all.
 */
export async function insertMany(db: Writer, table: keyof Tables, rows: readonly Cells[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  if (db.getExecutor().adapter instanceof SqliteAdapter) await insertInTurns(db, table, columns, rows)
  else await insertAtOnce(db, table, columns, rows)
}

async function insertInTurns(
  db: Writer,
  table: string,
  columns: readonly string[],
  rows: readonly Cells[],
): Promise<void> {
  const run = runnerOf(db)
  const one = `(${columns.map(() => '?').join(', ')})`
  for (let at = 0; at < rows.length;) {
    let count = MOST_ROWS
    while (count > rows.length - at) count /= 2
    const values = rows.slice(at, at + count).flatMap((row) => columns.map((column) => row[column] ?? null))
    await run(
      `${intoOf(table, columns)} values ${Array.from({ length: count }, () => one).join(', ')}`,
      values,
    )
    at += count
  }
}

async function insertAtOnce(
  db: Writer,
  table: string,
  columns: readonly string[],
  rows: readonly Cells[],
): Promise<void> {
  const names = columns.map(quoted).join(', ')
  const into = `${intoOf(table, columns)} select ${names} from json_populate_recordset(null::${quoted(table)}, $1)`
  await runnerOf(db)(into, [JSON.stringify(rows, asJson)])
}

const quoted = (name: string) => `"${name}"`
const intoOf = (table: string, columns: readonly string[]) =>
  `insert into ${quoted(table)} (${columns.map(quoted).join(', ')})`

/** Flags are numbers in tables, and bytes are text of their digits. */
function asJson(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  // A Buffer is an object of its own by the time that it is seen here.
  const cell = (this as Readonly<Record<string, unknown>>)[name]
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : value
}
