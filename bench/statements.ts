import type { Engine, Reader } from '../src/db/database.ts'
import { Kysely, PostgresAdapter, PostgresQueryCompiler, SqliteAdapter, SqliteQueryCompiler } from 'kysely'
import { rememberRunner, RunDriver, type Run } from '../src/db/runner.ts'
import type { Tables } from '../src/db/tables/tables.ts'
import { findApiToken } from '../src/access/credential-rows.ts'
import { listUsers } from '../src/people/users/queries.ts'
import { findUser } from '../src/people/users/user-rows.ts'

/** A statement of ours: its text, and for each value its name or the value itself. */
export interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

export interface Statements {
  readonly token: Statement
  readonly user: Statement
  readonly list: Statement
}

/** The statements that the two benchmarked operations run on this engine, taken from the code that runs them. */
export async function recordStatements(engine: Engine): Promise<Statements> {
  const owner = { developerId: 0, productId: named('productId'), userId: null, installId: null }
  const [token, user, list, ...more] = await recorded(engine, async (db) => {
    await findApiToken(db, { hash: named('hash'), now: named('now') })
    await findUser(db, owner, { id: named('id') })
    await listUsers(db, owner, { filter: 'all', count: 25, offset: 0 })
  })
  if (!token || !user || !list || more.length > 0) throw new Error('Each of the three runs one statement.')
  return { token, user, list }
}

/** The statements that `work` runs; it finds no rows. */
export async function recorded(
  engine: Engine,
  work: (db: Reader) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const seen: Statement[] = []
  await work(
    recorder(engine, async (sql, values) => {
      seen.push({ sql, values })
      return { rows: [] }
    }),
  )
  return seen
}

/** Stands in the place of a value, so that it is recognised among the recorded ones. */
const named = (name: string) => `$${name}` as never

/** The recorded values with the names filled in. */
export const valuesOf = ({ values }: Statement, given: Readonly<Record<string, unknown>>): unknown[] =>
  values.map((value) => (typeof value === 'string' && value.startsWith('$') ? given[value.slice(1)] : value))

function recorder(engine: Engine, run: Run): Reader {
  const isSqlite = engine === 'sqlite'
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new RunDriver(run),
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: () => {
        throw new Error('Nothing is introspected.')
      },
    },
  })
  return rememberRunner(db, run)
}
