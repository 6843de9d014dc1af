import type { Reader } from '../../db/database.ts'

/** Who owns a license, with the present address; undefined: nobody. */
export const findOwnerOfLicense = (db: Reader, licenseId: number) =>
  db
    .selectFrom('licenses')
    .innerJoin('users', 'users.id', 'licenses.user_id')
    .select(['users.id', 'users.email'])
    .where('licenses.id', '=', licenseId)
    .executeTakeFirst()
