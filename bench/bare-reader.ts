import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import pg from 'pg'
import type { DatabaseOptions, Reader } from '../src/db/database.ts'
import { bound, isFlag, toFlag } from '../src/db/flags.ts'
import { rememberRunner, RunDriver, type Run } from '../src/db/runner.ts'
import type { Tables } from '../src/db/tables/tables.ts'

/** Told of each statement that is run. */
type Heard = (...statement: Parameters<Run>) => void

/** A reader of a reference: our statements, prepared once and only run, on a connection or pool of its own. */
export const bareReader = (options: DatabaseOptions, heard: Heard = () => {}): Reader =>
  options.engine === 'sqlite' ? sqliteReader(options.file, heard) : postgresReader(options, heard)

/** Rows as a connection answers them, whose flags are true or false from then on. */
export function shown(rows: object[]): object[] {
  const all = rows as Record<string, unknown>[]
  for (const name of Object.keys(all[0] ?? {}).filter(isFlag))
    for (const row of all) row[name] = toFlag(row[name])
  return rows
}

function sqliteReader(file: string, heard: Heard): Reader {
  const connection = new DatabaseSync(file, { readOnly: true })
  const prepared = new Map<string, StatementSync>()
  const run: Run = async (sql, parameters) => {
    heard(sql, parameters)
    const statement = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, statement)
    return { rows: shown(statement.all(...(bound(parameters) as SQLInputValue[]))) }
  }
  const kysely = new Kysely<Tables>({
    dialect: {
      createDriver: () => new RunDriver(run),
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  })
  return rememberRunner(kysely, run)
}

function postgresReader(
  { url, poolSize }: Extract<DatabaseOptions, { engine: 'postgres' }>,
  heard: Heard,
): Reader {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  const names = new Map<string, string>()
  const run: Run = async (text, parameters) => {
    heard(text, parameters)
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    const { rows } = await pool.query({ name, text, values: [...bound(parameters)] })
    return { rows: shown(rows) }
  }
  const kysely = new Kysely<Tables>({
    dialect: {
      createDriver: () => new RunDriver(run),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
  return rememberRunner(kysely, run)
}
