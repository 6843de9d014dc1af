import { randomUUID } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'

/**
 * Writes a file that is whole at every moment: a signal that comes meanwhile ends the process after it. What is no file,
 * as a pipe is, is written to as it is; of a link the file that it leads to.
 */
export function writeWhole(path: string, content: string | Buffer, mode?: number): void {
  const before = statSync(path, { throwIfNoEntry: false })
  if (before && !before.isFile()) return writeFileSync(path, content)
  const file = before ? realpathSync(path) : path
  const draft = `${file}.${randomUUID()}`
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: mode ?? before?.mode ?? 0o666 })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    // A signal is heard in the turn that follows.
    setImmediate(() => process.off('SIGINT', end).off('SIGTERM', end))
  }
}
