import { transaction, type TxContext } from '../context.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../lib/time.ts'
import type { RecurringJob } from './job.ts'
import { deleteOldAttempts, deleteOldEvents, deleteRemovedWebhooks } from './prune-events-queries.ts'

/** So few that nobody waits 50 ms for the rows. */
const BATCH = 200

const sweeps: readonly ((tx: TxContext) => Promise<number>)[] = [
  ({ db, clock, config }) =>
    deleteOldAttempts(db, { until: clock.real() - config.kept.attemptDays * DAY, limit: BATCH }),
  ({ db, clock, config }) =>
    deleteOldEvents(db, { until: toUtcTime(clock.real() - config.kept.eventDays * DAY), limit: BATCH }),
  ({ db }) => deleteRemovedWebhooks(db, BATCH),
]

/**
 * Removes events `KEYWRIGHT_EVENT_DAYS` and attempts to deliver them `KEYWRIGHT_ATTEMPT_DAYS` after they happened;
 * each batch is a transaction of its own. What still waits to be delivered stays.
 */
export const pruneEvents: RecurringJob = {
  kind: 'recurring',
  name: 'prune-events',
  everyMs: HOUR,
  leaseMs: MINUTE,
  async run(ctx, lease) {
    const removed: number[] = []
    for (const sweep of sweeps) {
      const count = await transaction(ctx, async (tx) => {
        await lease.guard(tx.db)
        return sweep(tx)
      })
      removed.push(count)
    }
    return removed.includes(BATCH) ? 'more' : 'done'
  },
}
