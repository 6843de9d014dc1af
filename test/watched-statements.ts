import { DatabaseSync } from 'node:sqlite'

/** What is told of a connection: each row statement and commit before it runs, and each commit after it. */
export interface StatementWatch {
  readonly isRow: (sql: string) => boolean
  readonly before: (connection: object, sql: string) => void
  readonly after: (connection: object, sql: string) => void
}

export const isCommit = (sql: string): boolean => sql.toLowerCase() === 'commit'

/** Watches the functions of the engine that this process is configured for, so that the server is as it comes. */
export async function watchStatements(watch: StatementWatch): Promise<void> {
  watchEmbedded(watch)
  if (process.env['DATABASE_URL'] !== undefined) await watchPostgres(watch)
}

function watchEmbedded({ isRow, before, after }: StatementWatch): void {
  const { exec, prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    before(this, sql)
    exec.call(this, sql)
    after(this, sql)
  }
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest)
    if (!isRow(sql)) return statement
    const run = statement.run.bind(statement)
    const all = statement.all.bind(statement)
    statement.run = ((...values: never[]) => {
      before(this, sql)
      return run(...values)
    }) as typeof statement.run
    statement.all = ((...values: never[]) => {
      before(this, sql)
      return all(...values)
    }) as typeof statement.all
    return statement
  }
}

async function watchPostgres({ before, after }: StatementWatch): Promise<void> {
  const { Client } = (await import('pg')).default
  const query = Client.prototype.query as (...given: unknown[]) => unknown
  Client.prototype.query = function (this: object, ...given: unknown[]) {
    const [first] = given
    const sql = typeof first === 'string' ? first : String((first as { text?: unknown } | null)?.text ?? '')
    before(this, sql)
    const result = query.apply(this, given)
    if (isCommit(sql) && result instanceof Promise) return result.finally(() => after(this, sql))
    return result
  } as typeof Client.prototype.query
}
