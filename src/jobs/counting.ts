import { transaction, type Context } from '../context.ts'
import type { Reader, Writer } from '../db/database.ts'
import { MINUTE } from '../lib/time.ts'
import type { RecurringJob } from './job.ts'

const BATCH = 500

interface Counting<Counts> {
  /** As in `RecurringJob`. */
  readonly name: string
  /** Up to `limit` rows whose counters are not what they count, with the right ones. */
  wrong(db: Reader, limit: number): Promise<Counts[]>
  set(db: Writer, counts: Counts): Promise<unknown>
}

/** A job that counts anew every five minutes what counters in the rows of products say. */
export const countingJob = <Counts>({ name, wrong, set }: Counting<Counts>): RecurringJob => ({
  kind: 'recurring',
  name,
  everyMs: 5 * MINUTE,
  leaseMs: 5 * MINUTE,
  firstAfterMs: 5 * MINUTE,
  async run(ctx: Context, lease) {
    const found = await wrong(ctx.database.background, BATCH)
    if (found.length === 0) return 'done'
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      for (const counts of found) await set(tx.db, counts)
    })
    return found.length === BATCH ? 'more' : 'done'
  },
})
