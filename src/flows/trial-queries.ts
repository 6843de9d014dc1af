import type { Reader, Writer } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import type { UtcTime } from '../lib/time.ts'

/** What an install says of its trial; both null: it has none. */
export const setTrialOf = (
  db: Writer,
  id: number,
  trial: {
    readonly trial_plan_id: number | null
    readonly trial_ends: UtcTime | null
    readonly updated: UtcTime
  },
) => db.updateTable('installs').set(trial).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Cancels a trial's license; false when it was cancelled before. */
export async function cancelTrialLicense(db: Writer, id: number, updated: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('licenses')
    .set({ is_cancelled: 1, notice_at: null, updated })
    .where('id', '=', id)
    .where('is_trial', '=', 1)
    .where('is_cancelled', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The trial of a subscription that runs. */
export const findTrialOfSubscription = (db: Reader, subscriptionId: number) =>
  unscoped(db, 'of a subscription that a scoped query has found')
    .selectFrom('trials')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('canceled_at', 'is', null)
    .where('converted_at', 'is', null)
    .where('notice_at', 'is not', null)
    .executeTakeFirst()
