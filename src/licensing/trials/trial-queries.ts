import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import { HELD } from './buyer-trial-rows.ts'

/** What an install says of its trial; both null: it has none. */
export const setTrialOf = (
  db: Writer,
  id: number,
  trial: {
    readonly trial_plan_id: number | null
    readonly trial_ends: UtcTime | null
    readonly updated: UtcTime
  },
) =>
  unscoped(db, 'an install that the caller holds')
    .updateTable('installs')
    .set(trial)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Cancels a trial's license; false when it was cancelled before. */
export async function cancelTrialLicense(db: Writer, id: number, updated: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, 'the license of a trial that the caller has ended')
    .updateTable('licenses')
    .set({ is_cancelled: true, notice_at: null, updated })
    .where('id', '=', id)
    .where('is_trial', '=', true)
    .where('is_cancelled', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Says on the installs of a license that they are on no trial. */
export const endTrialOnInstalls = (db: Writer, licenseId: number, updated: UtcTime) =>
  unscoped(db, HELD)
    .updateTable('installs')
    .set({ trial_plan_id: null, trial_ends: null, updated })
    .where('license_id', '=', licenseId)
    .where('trial_plan_id', 'is not', null)
    .execute()
