import type { Writer } from '../db/database.ts'
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
