import type { Reader, Writer } from '../../db/database.ts'

/** The license that a bundle's license opened in a product. */
export const findChildLicense = (db: Reader, parentId: number, productId: number) =>
  db
    .selectFrom('licenses')
    .selectAll()
    .where('parent_license_id', '=', parentId)
    .where('product_id', '=', productId)
    .executeTakeFirst()

/** The license of a bundle. */
export const findParentLicense = (db: Reader, id: number) =>
  db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirst()

/** Plans of a product in a bundle that have a price, with the product's order of them. */
export const plansOfMember = (db: Reader, bundleId: number, productId: number) =>
  db
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
  (await db.selectFrom('plans').select('name').where('id', '=', id).executeTakeFirst())?.name

/** The prices of a plan, the earliest first. */
export const pricesOf = (db: Reader, planId: number) =>
  db.selectFrom('pricing').select(['id', 'licenses']).where('plan_id', '=', planId).orderBy('id').execute()

/** An install of one of the products in a bundle. */
export const findInstallOfMember = (db: Reader, bundleId: number, id: number) =>
  db
    .selectFrom('installs')
    .innerJoin('bundle_members', 'bundle_members.product_id', 'installs.product_id')
    .select(['installs.id', 'installs.product_id', 'installs.environment'])
    .where('bundle_members.bundle_id', '=', bundleId)
    .where('installs.id', '=', id)
    .executeTakeFirst()

/** Holds a license until the end of the transaction, whichever product it is of. */
export const holdAnyLicense = (db: Writer, id: number) =>
  db
    .updateTable('licenses')
    .set((eb) => ({ product_id: eb.ref('product_id') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Holds what a bundle's license opened in its products. */
export const holdChildren = (db: Writer, parentId: number) =>
  db
    .updateTable('licenses')
    .set((eb) => ({ product_id: eb.ref('product_id') }))
    .where('parent_license_id', '=', parentId)
    .returningAll()
    .execute()

/** The installs that a license is active on. */
export const installsOfLicense = (db: Reader, licenseId: number) =>
  db.selectFrom('installs').selectAll().where('license_id', '=', licenseId).orderBy('id').execute()

/** Reviews that were written under a license outlive it. */
export const releaseReviews = (db: Writer, licenseId: number) =>
  db.updateTable('reviews').set({ license_id: null }).where('license_id', '=', licenseId).execute()

export const emailOfPerson = async (db: Reader, id: number) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email
