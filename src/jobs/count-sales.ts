import { transaction } from '../context.ts'
import { MINUTE } from '../lib/time.ts'
import { setSaleCounts, wrongSaleCounts } from './count-sales-queries.ts'
import type { RecurringJob } from './job.ts'

const BATCH = 500

/**
 * Says in each product how often it was bought and renewed, how many subscriptions it has, how many purchases
 * were declined, and what it earned (the contract's Plugin): in production, other currencies as if they were
 * dollars, as users have it. A total that every purchase writes would make those of a product wait for one another.
 */
export const countSales: RecurringJob = {
  kind: 'recurring',
  name: 'count-sales',
  everyMs: 5 * MINUTE,
  leaseMs: 5 * MINUTE,
  firstAfterMs: 5 * MINUTE,
  async run(ctx, lease) {
    const wrong = await wrongSaleCounts(ctx.database.background, BATCH)
    if (wrong.length === 0) return 'done'
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      for (const counts of wrong) await setSaleCounts(tx.db, counts)
    })
    return wrong.length === BATCH ? 'more' : 'done'
  },
}
