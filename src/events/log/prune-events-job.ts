import { DAY, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import type { RecurringJob } from '../../job.ts'
import { deleteOldAttempts, deleteOldEvents, deleteRemovedWebhooks } from './prune-events-queries.ts'
import { swept, type Sweep } from '../../work/swept.ts'

/** So few that nobody waits 50 ms for the rows. */
const BATCH = 200

const sweeps: readonly Sweep[] = [
  ({ db, config }, now) =>
    deleteOldAttempts(db, { until: now - config.kept.attemptDays * DAY, limit: BATCH }),
  ({ db, config }, now) =>
    deleteOldEvents(db, { until: toUtcTime(now - config.kept.eventDays * DAY), limit: BATCH }),
  ({ db }) => deleteRemovedWebhooks(db, BATCH),
]

/**
 * Removes events `KEYWRIGHT_EVENT_DAYS` and attempts to deliver them `KEYWRIGHT_ATTEMPT_DAYS` after they happened.
 * What still waits to be delivered stays.
 */
export const pruneEvents: RecurringJob = {
  kind: 'recurring',
  name: 'prune-events',
  everyMs: HOUR,
  leaseMs: MINUTE,
  run: (ctx, lease) => swept(ctx, lease, { sweeps, batch: BATCH }),
}
