import { randomBytes, randomInt } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

type Row = Record<string, SQLInputValue>

interface Copied {
  readonly table: string
  readonly rows: readonly Row[]
}

/** Columns that the database or a job fills. */
const FILLED = new Set(['id', 'seq', 'hash'])

/**
 * Writes the rows again that something has written, each time with values of its own where they must be unique: a plain
 * connection of node:sqlite, a durable commit for each part.
 */
export class RowCopier {
  readonly #connection: DatabaseSync
  readonly #tables: readonly string[]
  #marks: ReadonlyMap<string, number>
  readonly #parts: Copied[][] = []

  constructor(file: string) {
    // What must be unique is made up, and so leads to no row.
    this.#connection = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: false })
    this.#connection.exec('pragma synchronous = full')
    const named = this.#connection.prepare(
      `select name from sqlite_master where type = 'table' and sql like 'create table%'`,
    )
    this.#tables = named
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !LEFT.has(name))
    this.#marks = this.#newest()
  }

  /** What was written since the last time is a part. */
  note(): void {
    const marks = this.#newest()
    const part = this.#tables.map((table) => {
      const found = this.#connection.prepare(`select * from ${table} where rowid > ?`)
      const rows = found.all(this.#marks.get(table) ?? 0) as Row[]
      return { table, rows }
    })
    this.#marks = marks
    this.#parts.push(part.filter(({ rows }) => rows.length > 0))
  }

  /** How many rows that are. */
  get rows(): number {
    return this.#parts.flat().reduce((sum, { rows }) => sum + rows.length, 0)
  }

  /** All parts a second. */
  write(ms: number): number {
    const parts = this.#parts.map((part) => part.flatMap((copied) => this.#insertsOf(copied)))
    const start = performance.now()
    let written = 0
    for (; performance.now() < start + ms; written++) {
      for (const inserts of parts) {
        this.#connection.exec('begin immediate')
        for (const insert of inserts) insert()
        this.#connection.exec('commit')
      }
    }
    return (written / (performance.now() - start)) * 1_000
  }

  close(): void {
    this.#connection.close()
  }

  #newest(): Map<string, number> {
    const newest = (table: string) =>
      Number(this.#connection.prepare(`select coalesce(max(rowid), 0) as n from ${table}`).get()?.['n'])
    return new Map(this.#tables.map((table) => [table, newest(table)]))
  }

  #insertsOf({ table, rows }: Copied): (() => void)[] {
    const unique = this.#uniqueOf(table)
    return rows.map((row) => {
      const names = Object.keys(row).filter((name) => !FILLED.has(name) || unique.has(name))
      const statement = this.#connection.prepare(
        `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
      )
      return () => {
        statement.run(
          ...names.map((name) => (unique.has(name) ? another(row[name] ?? null) : (row[name] ?? null))),
        )
      }
    })
  }

  /** Of each index whose rows are unique the last column that is not shared by all rows of a product. */
  #uniqueOf(table: string): ReadonlySet<string> {
    const indexes = this.#connection
      .prepare(`select name from pragma_index_list(?) where "unique" = 1`)
      .all(table)
    const found = indexes.map(({ name }) => {
      const columns = this.#connection
        .prepare('select name from pragma_index_info(?) order by seqno')
        .all(String(name))
        .map((column) => String(column['name']))
        .filter((column) => !SHARED.has(column))
      return columns.at(-1) ?? ''
    })
    return new Set(found.filter((name) => name !== '' && !FILLED.has(name)))
  }
}

const SHARED = new Set(['product_id', 'developer_id', 'currency', 'type', 'gateway', 'entity_type', 'series'])

/** Jobs write their own rows, and triggers theirs. */
const LEFT = new Set([
  'account_customers',
  'counts',
  'jobs',
  'list_marks',
  'schema_version',
  'sqlite_sequence',
])

const another = (value: SQLInputValue): SQLInputValue => {
  if (typeof value === 'string') return randomBytes(16).toString('hex')
  return value === null ? null : 1_000_000_000 + randomInt(100_000_000_000)
}
