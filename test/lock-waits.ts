import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Writer } from '../src/db/database.ts'

/** Whether anybody waits in this PostgreSQL database for what another transaction holds. */
export async function isAnybodyWaiting({ reader }: Pick<Database, 'reader'>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(reader as Writer)
  return rows.length > 0
}

/** Resolves when a work has ended, or waits for what a transaction holds; an embedded database lets none begin. */
export async function endedOrWaiting(database: Database, work: Promise<unknown>): Promise<void> {
  if (database.engine === 'sqlite') return
  let isOver = false
  const over = () => void (isOver = true)
  void work.then(over, over)
  while (!isOver && !(await isAnybodyWaiting(database))) await pause(10)
}
