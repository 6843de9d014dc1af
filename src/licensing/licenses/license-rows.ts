import type { ExpressionBuilder } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { Tables } from '../../db/tables/tables.ts'
import type { UtcTime } from '../../lib/time.ts'

export const findLicense = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'licenses', owner).select().selectAll().where('licenses.id', '=', id),
)

export const findLicenses = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'licenses', owner).select().selectAll().where('licenses.id', 'in', inList(ids)).execute()

/** Notes of licenses that the caller holds that they are their owners'; the ids of those that were not noted so. */
export async function markProven(db: Writer, ids: readonly number[]): Promise<number[]> {
  const rows = await unscoped(db, 'of a family that the caller holds')
    .updateTable('licenses')
    .set({ is_unproven: false })
    .where('id', 'in', inList(ids))
    .where('is_unproven', '=', true)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Counts the activations of a license that the caller holds from its installs. */
export const recountActivations = (db: Writer, owner: Owner, id: number, updated: UtcTime) => {
  const counted = (as: 'production' | 'local') => (eb: ExpressionBuilder<Tables, 'licenses'>) =>
    eb
      .selectFrom('installs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .whereRef('installs.license_id', '=', 'licenses.id')
      .where('installs.counted_as', '=', as)
  return scopedWrite(db, 'licenses', owner)
    .update()
    .set((eb) => ({ activated: counted('production')(eb), activated_local: counted('local')(eb), updated }))
    .where('licenses.id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
