import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** Who owns a license, with the present address; undefined: nobody. */
export const findOwnerOfLicense = (db: Reader, licenseId: number) =>
  unscoped(db, 'the owner of a license that the caller has found, or that a signed link names')
    .selectFrom('licenses')
    .innerJoin('users', 'users.id', 'licenses.user_id')
    .select(['users.id', 'users.email'])
    .where('licenses.id', '=', licenseId)
    .executeTakeFirst()

/** The page of its shop to which mails about failed renewals of a product lead; null: it has none. */
export async function recoveryPageOf(db: Reader, productId: number): Promise<string | null> {
  const found = await unscoped(db, 'what a seller says of the links of its mails')
    .selectFrom('products')
    .select('recovery_url')
    .where('id', '=', productId)
    .executeTakeFirst()
  return found?.recovery_url ?? null
}
