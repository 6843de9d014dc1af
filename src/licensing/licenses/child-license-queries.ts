import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { unscoped } from '../../db/scoped.ts'

const OF_BUNDLE = "a bundle's license, which the caller has found, opens licenses of other products"
const OF_PLAN = 'of a plan that the caller has found'
const OF_LICENSE = 'of a license that the caller holds, whoever has its installs and reviews'

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

/** Plans of a product in a bundle that have a price, with the product's order of them. */
export const plansOfMember = (db: Reader, bundleId: number, productId: number) =>
  unscoped(db, OF_BUNDLE)
    .selectFrom('bundle_members')
    .innerJoin('products', 'products.id', 'bundle_members.product_id')
    .innerJoin('plans', 'plans.product_id', 'products.id')
    .select(['plans.id', 'plans.name', 'products.plans as plan_order'])
    .where('bundle_members.bundle_id', '=', bundleId)
    .where('bundle_members.product_id', '=', productId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('pricing').select('pricing.id').whereRef('pricing.plan_id', '=', 'plans.id')),
    )
    .execute()

export const planName = async (db: Reader, id: number) =>
  (await unscoped(db, OF_PLAN).selectFrom('plans').select('name').where('id', '=', id).executeTakeFirst())
    ?.name

/** The prices of a plan, the earliest first. */
export const pricesOf = (db: Reader, planId: number) =>
  unscoped(db, OF_PLAN)
    .selectFrom('pricing')
    .select(['id', 'licenses'])
    .where('plan_id', '=', planId)
    .orderBy('id')
    .execute()

/** An install of one of the products in a bundle. */
export const findInstallOfMember = (db: Reader, bundleId: number, id: number) =>
  unscoped(db, 'an install of a product in the bundle of the scope')
    .selectFrom('installs')
    .innerJoin('bundle_members', 'bundle_members.product_id', 'installs.product_id')
    .select(['installs.id', 'installs.product_id', 'installs.environment'])
    .where('bundle_members.bundle_id', '=', bundleId)
    .where('installs.id', '=', id)
    .executeTakeFirst()

/** Holds what a bundle's license opened in its products. */
export const holdChildren = (db: Writer, parentId: number) =>
  holding(
    db,
    unscoped(db, OF_BUNDLE).selectFrom('licenses').selectAll().where('parent_license_id', '=', parentId),
  ).execute()

/** The installs that a license is active on. */
export const installsOfLicense = (db: Reader, licenseId: number) =>
  unscoped(db, OF_LICENSE)
    .selectFrom('installs')
    .selectAll()
    .where('license_id', '=', licenseId)
    .orderBy('id')
    .execute()

/** Reviews that were written under a license outlive it. */
export const releaseReviews = (db: Writer, licenseId: number) =>
  unscoped(db, OF_LICENSE)
    .updateTable('reviews')
    .set({ license_id: null })
    .where('license_id', '=', licenseId)
    .execute()

export const emailOfPerson = async (db: Reader, id: number) =>
  (
    await unscoped(db, 'the owner of a license that the caller has found')
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.email
