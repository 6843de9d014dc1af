import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'

export const OF_BUNDLE = "the members of the scope's product"

/** Puts these products into a bundle in the place of those in it; the caller holds the bundle's row. */
export async function replaceMembers(
  db: Writer,
  { productId }: Owner,
  members: readonly number[],
): Promise<void> {
  await unscoped(db, OF_BUNDLE).deleteFrom('bundle_members').where('bundle_id', '=', productId).execute()
  if (members.length === 0) return
  await db
    .insertInto('bundle_members')
    .values(members.map((id) => ({ bundle_id: productId, product_id: id })))
    .execute()
}

/** The products of bundles, the earliest first. */
export const membersOf = (db: Reader, bundleIds: readonly number[]) =>
  unscoped(db, 'bundles that the caller has found')
    .selectFrom('bundle_members')
    .innerJoin('products', 'products.id', 'bundle_members.product_id')
    .select(['bundle_id', 'product_id', 'products.title'])
    .where('bundle_id', 'in', inList(bundleIds))
    .orderBy('product_id')
    .execute()
