import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

export const OWN = "a person's own second factor"

/** Switches two-factor off and drops its backup codes; false when it was off. */
export async function deleteTwoFactor(db: Writer, personId: number): Promise<boolean> {
  await unscoped(db, OWN).deleteFrom('backup_codes').where('person_id', '=', personId).execute()
  const { numDeletedRows } = await unscoped(db, OWN)
    .deleteFrom('two_factor')
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
