import { batched } from '../../db/batched.ts'
import { preparedList } from '../../db/prepared-list.ts'
import type { LicenseRow } from './schema.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { unscoped } from '../../db/scoped.ts'
import { OF_LICENSE, OF_BUNDLE, OF_PLAN } from './child-license-rows.ts'

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
export const holdChildren = batched({
  async many(db: Writer, parentIds: readonly number[]): Promise<LicenseRow[][]> {
    const byParent = Map.groupBy(
      await holdingChildren(db, parentIds),
      ({ parent_license_id: parentId }) => parentId,
    )
    return parentIds.map((id) => byParent.get(id) ?? [])
  },
})
const holdingChildren = preparedList((db, parentIds) =>
  holding(
    db,
    unscoped(db, OF_BUNDLE).selectFrom('licenses').selectAll().where('parent_license_id', 'in', parentIds),
  ).orderBy('id'),
)

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
