import { transaction } from '../../context.ts'
import { lookAgain, MOST_AHEAD_MS } from './look-again.ts'
import { MINUTE } from '../../lib/time.ts'
import { chargesToLookUp } from './left-charge-queries.ts'
import type { RecurringJob } from '../../job.ts'

const BATCH = 100

/** Looks up for the last time what was let go as never made. */
export const lookAgainAtCharges: RecurringJob = {
  kind: 'recurring',
  name: 'look-again',
  everyMs: MINUTE,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    const due = await chargesToLookUp(ctx.db, { now: ctx.clock.real(), most: MOST_AHEAD_MS, limit: BATCH })
    for (const { id } of due) {
      if (lease.stopping.aborted) return 'more'
      await transaction(ctx, ({ db }) => lease.guard(db))
      try {
        await lookAgain(ctx, id)
      } catch (error) {
        ctx.log.error({ err: error, charge: id }, 'a charge that was let go could not be looked up')
      }
    }
    return due.length === BATCH ? 'more' : 'done'
  },
}
