import { transaction } from '../context.ts'
import type { Writer } from '../db/database.ts'
import { deleteExpiredKeys } from '../http/idempotency-queries.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../lib/time.ts'
import type { RecurringJob } from './job.ts'
import {
  deleteAccessTokens,
  deleteConfirmations,
  deleteInvitations,
  deleteLoginAddresses,
  deleteLoginFailures,
  deleteSessions,
} from './prune-queries.ts'

const BATCH = 1000
const TOKENS_KEPT_MS = DAY
const CONFIRMATIONS_KEPT_MS = 30 * DAY
/** As long as they count. */
const FAILURES_KEPT_MS = HOUR
const ADDRESSES_KEPT_MS = 180 * DAY

/** Deletes at most `limit` rows that are no longer needed at `now`; returns how many. */
type Broom = (db: Writer, now: number, limit: number) => Promise<number>

const brooms: readonly Broom[] = [
  deleteExpiredKeys,
  (db, now, limit) => deleteAccessTokens(db, toUtcTime(now - TOKENS_KEPT_MS), limit),
  (db, now, limit) => deleteConfirmations(db, toUtcTime(now - CONFIRMATIONS_KEPT_MS), limit),
  (db, now, limit) => deleteInvitations(db, toUtcTime(now - CONFIRMATIONS_KEPT_MS), limit),
  (db, now, limit) => deleteSessions(db, now, limit),
  (db, now, limit) => deleteLoginFailures(db, now - FAILURES_KEPT_MS, limit),
  (db, now, limit) => deleteLoginAddresses(db, now - ADDRESSES_KEPT_MS, limit),
]

/**
 * Removes idempotency keys and sessions when they end, access tokens a day and links 30 days later, failed
 * logins when they no longer count, and the addresses of logins half a year after the last one.
 * Each batch is a transaction of its own, so that nobody waits long for it.
 */
export const prune: RecurringJob = {
  kind: 'recurring',
  name: 'prune',
  everyMs: HOUR,
  leaseMs: MINUTE,
  async run(ctx, lease) {
    const removed: number[] = []
    for (const sweep of brooms) {
      const count = await transaction(ctx, async ({ db, clock }) => {
        await lease.guard(db)
        return sweep(db, clock.real(), BATCH)
      })
      removed.push(count)
    }
    return removed.includes(BATCH) ? 'more' : 'done'
  },
}
