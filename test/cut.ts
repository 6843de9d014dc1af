import { Client } from 'pg'
import type { Context } from '../src/context.ts'
import { connect } from '../src/db/connect.ts'
import type { Database } from '../src/db/database.ts'
import type { testContext } from './app.ts'

export interface Cutting {
  readonly ctx: Context
  readonly database: Database
  /** How many statements there were. */
  seen(): number
}

type Opened = Pick<Awaited<ReturnType<typeof testContext>>, 'ctx' | 'databaseOptions'>

/** A second process on a test's database whose connection is cut before statement `n`; 0: never. */
export function cuttingAt({ ctx, databaseOptions }: Opened, n: number): Cutting {
  let seen = 0
  const database = connect({
    ...databaseOptions,
    onStatement: async () => {
      seen++
      if (seen === n) await cutConnections(databaseOptions)
    },
  })
  return { ctx: { ...ctx, db: database.reader, database }, database, seen: () => seen }
}

/** PostgreSQL ends every other session of the database; SQLite has no connection but the process. */
async function cutConnections(options: Opened['databaseOptions']): Promise<void> {
  if (options.engine === 'sqlite') throw new Error('connection cut')
  const admin = new Client({ connectionString: options.url })
  await admin.connect()
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await admin.end()
}
