import { findDemo } from './find-demo.ts'
import { HOUR, MINUTE } from '../lib/time.ts'
import type { RecurringJob } from '../job.ts'

/** Writes what has happened in the demo since the last time, where the database holds one: nobody is charged or mailed. */
export const demoGoesOn: RecurringJob = {
  kind: 'recurring',
  name: 'demo',
  everyMs: HOUR,
  leaseMs: 5 * MINUTE,
  firstAfterMs: HOUR,
  async run(ctx, lease) {
    const demo = await findDemo(ctx)
    if (!demo) return 'done'
    const { goOnWithDemo } = await import('./demo.ts')
    await goOnWithDemo(ctx, demo, (db) => lease.guard(db))
    return 'done'
  },
}
