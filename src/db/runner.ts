import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Soon } from '../lib/soon.ts'

/** One statement with its values, on whatever connection the runner stands for. */
export type Run = (sql: string, parameters: readonly unknown[]) => Soon<QueryResult<unknown>>

const runners = new WeakMap<object, Run>()

/** Remembers how statements of this Kysely instance are run, so that `prepared` skips its executor. */
export function rememberRunner<T extends object>(db: T, run: Run): T {
  runners.set(db, run)
  return db
}

export function runnerOf(db: object): Run {
  const run = runners.get(db)
  if (!run) throw new Error('This database was not opened by connect().')
  return run
}

/** A driver over one `run`; transactions are begun and ended outside Kysely, in `Database.transaction`. */
export class RunDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(run: Run) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery) =>
        (await run(sql, parameters)) as QueryResult<R>,
      streamQuery: () => {
        throw new Error('Streaming is not used; read in pages.')
      },
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction
}

async function refuseTransaction(): Promise<void> {
  throw new Error('Use transaction(ctx, work).')
}
