/**
 * Loaded into a real command before its own code (`NODE_OPTIONS=--import`): kills the process, as `kill -9` does, before
 * or after the commit that KILL_AT_COMMIT numbers among those that have written rows of an import: `3 before`.
 */
import { DatabaseSync } from 'node:sqlite'

/** At which commits that write rows: before and after, in the middle of kinds and at their beginnings. */
export const KILLS = [
  '1 before',
  '1 after',
  '2 before',
  '3 after',
  '1 before',
  '4 after',
  '2 after',
  '3 before',
  '5 after',
  '1 after',
] as const

const [number, moment] = (process.env['KILL_AT_COMMIT'] ?? '').split(' ')

const isRow = (sql: string) => sql.startsWith('insert into "imported_rows"')
const isCommit = (sql: string) => sql.toLowerCase() === 'commit'
/** Connections on which rows of an import are written and not committed. */
const open = new WeakSet<object>()
let commits = 0

function before(connection: object, sql: string): void {
  if (isRow(sql)) open.add(connection)
  if (isCommit(sql) && open.has(connection) && ++commits === Number(number) && moment === 'before') die()
}

function after(connection: object, sql: string): void {
  if (!isCommit(sql) || !open.delete(connection)) return
  if (commits === Number(number)) die()
}

const die = () => process.kill(process.pid, 'SIGKILL')

function watchEmbedded(): void {
  const { exec, prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    before(this, sql)
    exec.call(this, sql)
    after(this, sql)
  }
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    before(this, sql)
    const statement = prepare.call(this, sql, ...rest)
    if (!isRow(sql)) return statement
    const run = statement.run.bind(statement)
    statement.run = ((...values: never[]) => {
      before(this, sql)
      return run(...values)
    }) as typeof statement.run
    return statement
  }
}

async function watchPostgres(): Promise<void> {
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

if (number !== undefined && number !== '') {
  watchEmbedded()
  if (process.env['DATABASE_URL'] !== undefined) await watchPostgres()
}
