/**
 * Loaded into a real server before its own code (`NODE_OPTIONS=--import`): kills the process, as `kill -9` does, at
 * exactly the point that KILL_AT names. What is watched is the engine's own functions, so the server is as it comes.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { isCommit, watchStatements } from './watched-statements.ts'

export const KILL_POINTS = [
  'while receiving',
  'before rename 1',
  'after rename 1',
  'before rename 2',
  'after rename 2',
  'before row',
  'before commit',
  'after commit',
] as const
export type KillPoint = (typeof KILL_POINTS)[number]

const wanted = process.env['KILL_AT']

function reach(point: KillPoint): void {
  if (point === wanted) process.kill(process.pid, 'SIGKILL')
}

const isRow = (sql: string) => sql.startsWith('insert into "deployments"')
/** Connections on which the row is written and not committed: jobs commit on others meanwhile. */
const open = new WeakSet<object>()

function before(connection: object, sql: string): void {
  if (isRow(sql)) {
    reach('before row')
    open.add(connection)
  }
  if (isCommit(sql) && open.has(connection)) reach('before commit')
}

function after(connection: object, sql: string): void {
  if (isCommit(sql) && open.has(connection)) reach('after commit')
}

function watchFiles(): void {
  const open = fs.open.bind(fs)
  fs.open = async (path, ...rest) => {
    const file = await open(path, ...rest)
    if (!/\/incoming\//.test(String(path))) return file
    const write = file.writeFile.bind(file)
    file.writeFile = async (...given) => {
      await write(...given)
      reach('while receiving')
    }
    return file
  }
  const rename = fs.rename.bind(fs)
  let count = 0
  fs.rename = async (from, to) => {
    const n = /\/files\//.test(String(to)) ? ++count : 0
    reach(`before rename ${n}` as KillPoint)
    await rename(from, to)
    reach(`after rename ${n}` as KillPoint)
  }
  syncBuiltinESMExports()
}

if (wanted !== undefined) {
  watchFiles()
  await watchStatements({ isRow, before, after })
}
