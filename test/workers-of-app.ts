import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { folderStorage } from '../src/deployments/storage/folder.ts'
import type { TestApp } from './app.ts'
import { work } from './serve.ts'

/** Begins real workers on the database and the files of a test, which end with it, and says where the files are. */
export function workersOf(app: TestApp, atEnd: (end: () => unknown) => void) {
  const { databaseOptions: database } = app
  const folder = database.engine === 'sqlite' ? dirname(database.file) : app.ctx.config.dataDir
  Object.assign(app.ctx, { storage: folderStorage(folder) })
  const begin = (env: Readonly<Record<string, string>> = {}): ChildProcess => {
    const child = work(database, { KEYWRIGHT_DATA: folder, ...env })
    atEnd(() => ended(child, 'SIGKILL'))
    return child
  }
  return { folder, begin }
}

/** Waits until a process has ended, which is sent a signal; the signal that has ended it. */
export async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<NodeJS.Signals | null> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  if (!isOver) {
    const exited = once(child, 'exit')
    if (signal) child.kill(signal)
    await exited
  }
  return child.signalCode
}

/** Asks again until something is so. */
export async function until(isTrue: () => Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await isTrue())) await pause(everyMs)
}
