import type { Updateable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { pick, prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { CountedAs, InstallsTable } from '../../db/tables/installs.ts'
import type { UtcTime } from '../../lib/time.ts'
import { OF_INSTALL } from './license-on-install-rows.ts'

interface Put {
  readonly id: number
  readonly license_id: number
  readonly counted_as: CountedAs
  readonly plan_id: number
  readonly trial_plan_id: number | null
  readonly trial_ends: UtcTime | null
  readonly subscription_id: number | null
  /** What was paid for the license and is of no other install, minor units. */
  readonly spent: number
  readonly updated: UtcTime
}

const PUT_COLUMNS = [
  'license_id',
  'counted_as',
  'plan_id',
  'trial_plan_id',
  'trial_ends',
  'subscription_id',
  'updated',
] as const satisfies readonly (keyof Put)[]

const putting = prepared((db: Writer, put: Put) =>
  unscoped(db, OF_INSTALL)
    .updateTable('installs')
    .set((eb) => ({
      ...pick(put, PUT_COLUMNS),
      gross: eb('gross', '+', put.spent),
      is_active: true,
      is_uninstalled: false,
    }))
    .where('id', '=', put.id)
    .where('license_id', 'is', null)
    .returningAll(),
)

/** Puts a license on an install that has none; undefined when it has one by now. */
export const setLicense = async (db: Writer, put: Put) => (await putting(db, put))[0]

/** Takes the license off an install that the caller holds. */
export const unsetLicense = (
  db: Writer,
  id: number,
  to: Pick<Updateable<InstallsTable>, 'plan_id' | 'trial_plan_id' | 'trial_ends' | 'updated'>,
) =>
  unscoped(db, OF_INSTALL)
    .updateTable('installs')
    .set({ ...to, license_id: null, counted_as: null, subscription_id: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Changes what an install counts as on its license. */
export const recordCountedAs = (db: Writer, id: number, as: CountedAs) =>
  unscoped(db, OF_INSTALL)
    .updateTable('installs')
    .set({ counted_as: as })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
