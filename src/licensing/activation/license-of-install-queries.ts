import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, unscoped } from '../../db/scoped.ts'

/** The license that is active on an install of the caller, whoever's it is, with the hash of its bundle's key. */
export const findActiveLicense = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'installs', owner)
    .select()
    .innerJoin('licenses', 'licenses.id', 'installs.license_id')
    .leftJoin('licenses as parents', 'parents.id', 'licenses.parent_license_id')
    .selectAll('licenses')
    .select('parents.key_hash as parent_key_hash')
    .where('installs.id', '=', id),
)

/** A license of a product, whoever's it is, with the hash of its bundle's key. */
export const findLicenseOfProduct = (db: Reader, productId: number, id: number) =>
  unscoped(db, "another person's license of this product may be used by who has its key")
    .selectFrom('licenses')
    .leftJoin('licenses as parents', 'parents.id', 'licenses.parent_license_id')
    .selectAll('licenses')
    .select('parents.key_hash as parent_key_hash')
    .where('licenses.product_id', '=', productId)
    .where('licenses.id', '=', id)
    .executeTakeFirst()

export type KeyedLicense = NonNullable<Awaited<ReturnType<typeof findLicenseOfProduct>>>
