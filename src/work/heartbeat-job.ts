import { mayRenew } from './renewal-watch.ts'
import { MINUTE } from '../lib/time.ts'
import type { RecurringJob } from '../job.ts'

/** Notes that the jobs live, so that renewals wait for a word of the operator when they have not for days. */
export const heartbeat: RecurringJob = {
  kind: 'recurring',
  name: 'heartbeat',
  everyMs: MINUTE,
  leaseMs: MINUTE,
  async run(ctx) {
    await ctx.database.transaction((db) => mayRenew(ctx, db))
    return 'done'
  },
}
