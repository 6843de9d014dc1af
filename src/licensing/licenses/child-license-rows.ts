import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

export const OF_BUNDLE = "a bundle's license, which the caller has found, opens licenses of other products"
export const OF_PLAN = 'of a plan that the caller has found'
export const OF_LICENSE = 'of a license that the caller holds, whoever has its installs and reviews'

/** The license that a bundle's license opened in a product. */
export const findChildLicense = (db: Reader, parentId: number, productId: number) =>
  unscoped(db, OF_BUNDLE)
    .selectFrom('licenses')
    .selectAll()
    .where('parent_license_id', '=', parentId)
    .where('product_id', '=', productId)
    .executeTakeFirst()

/** The license of a bundle. */
export const findParentLicense = (db: Reader, id: number) =>
  unscoped(db, OF_BUNDLE).selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirst()

/** The prices of a plan, the earliest first. */
export const pricesOf = (db: Reader, planId: number) =>
  unscoped(db, OF_PLAN)
    .selectFrom('pricing')
    .select(['id', 'licenses'])
    .where('plan_id', '=', planId)
    .orderBy('id')
    .execute()

/** The installs that a license is active on. */
export const installsOfLicense = (db: Reader, licenseId: number) =>
  unscoped(db, OF_LICENSE)
    .selectFrom('installs')
    .selectAll()
    .where('license_id', '=', licenseId)
    .orderBy('id')
    .execute()
