import { transaction, type Context } from '../context.ts'
import type { Reader, Writer } from '../db/database.ts'
import { isNoFaultOfRow } from './or-leave.ts'
import { MINUTE } from '../lib/time.ts'
import type { RecurringJob } from '../job.ts'

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
    const write = (some: readonly Counts[]) =>
      transaction(ctx, async (tx) => {
        await lease.guard(tx.db)
        for (const counts of some) await set(tx.db, counts)
      })
    try {
      await write(found)
    } catch (error) {
      if (isNoFaultOfRow(error)) throw error
      for (const counts of found) await orLog(ctx, name, () => write([counts]))
      return 'done'
    }
    return found.length === BATCH ? 'more' : 'done'
  },
})

/** Counters that cannot be written keep no others from it; all are counted again with the next run. */
async function orLog(ctx: Context, job: string, does: () => Promise<void>): Promise<void> {
  try {
    await does()
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    ctx.log.error({ err: error, job }, 'the counters of a product could not be written')
  }
}
