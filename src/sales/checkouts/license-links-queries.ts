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
