import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from './connect.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { isBusy } from './writer-queue.ts'

const PATIENCE_MS = 10_000

/**
 * `connect`, beside other processes that do the same: a new SQLite file is set up by one at a time, and
 * the others find it locked for a moment.
 */
export async function connectPatiently(options: DatabaseOptions): Promise<Database> {
  const giveUp = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return connect(options)
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUp) throw error
      await sleep(1 + Math.random() * 20)
    }
  }
}
