import { Kysely, PostgresAdapter, PostgresQueryCompiler, SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import type { Engine, Reader } from '../src/db/database.ts'
import { rememberRunner, RunDriver, runnerOf, type Run } from '../src/db/runner.ts'
import type { Tables } from '../src/db/tables/tables.ts'

export interface Counted {
  readonly db: Reader
  /** The statements since the last call. */
  taken(): string[]
}

/** A database with every statement that is read from it written down. */
export function countStatements(db: Reader, engine: Engine): Counted {
  let statements: string[] = []
  const run: Run = (sql, parameters) => {
    statements.push(sql)
    return runnerOf(db)(sql, parameters)
  }
  const isSqlite = engine === 'sqlite'
  const counted = new Kysely<Tables>({
    dialect: {
      createDriver: () => new RunDriver(run),
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: () => {
        throw new Error('Nothing is introspected.')
      },
    },
  })
  return {
    db: rememberRunner(counted, run),
    taken() {
      const taken = statements
      statements = []
      return taken
    },
  }
}
