/**
 * Loaded into a real command before its own code (`NODE_OPTIONS=--import`): kills the process, as `kill -9` does, before
 * or after the commit that KILL_AT_COMMIT numbers among those that have written rows of an import: `3 before`.
 */
import { isCommit, watchStatements } from './watched-statements.ts'

const [number, moment] = (process.env['KILL_AT_COMMIT'] ?? '').split(' ')

const isRow = (sql: string) => sql.startsWith('insert into "imported_rows"')
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

if (number !== undefined && number !== '') await watchStatements({ isRow, before, after })
