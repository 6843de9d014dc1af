import { transaction } from '../context.ts'
import { MINUTE } from '../lib/time.ts'
import { setInstallCounts, wrongInstallCounts } from './count-queries.ts'
import type { RecurringJob } from './job.ts'

const BATCH = 500

/**
 * Says in each product how many installs it has, and how many are in use (the contract's Plugin). A counter that
 * every activation writes would make those of a product wait for one another.
 */
export const countInstalls: RecurringJob = {
  kind: 'recurring',
  name: 'count-installs',
  everyMs: 5 * MINUTE,
  leaseMs: 5 * MINUTE,
  firstAfterMs: 5 * MINUTE,
  async run(ctx, lease) {
    const wrong = await wrongInstallCounts(ctx.database.background, BATCH)
    if (wrong.length === 0) return 'done'
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      for (const counts of wrong) await setInstallCounts(tx.db, counts)
    })
    return wrong.length === BATCH ? 'more' : 'done'
  },
}
