import type { Reader } from '../../db/database.ts'
import { familyOf } from '../../db/family.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Scope } from '../../access/scope.ts'

/** The product of the scope, with its add-ons and the bundles that it is in as they are asked for and the caller's keys open them. */
export async function productsAround(
  db: Reader,
  { developerId, productId, within }: Scope,
  { addons, bundles }: { readonly addons: boolean; readonly bundles: boolean },
): Promise<number[]> {
  if (!addons && !bundles) return [productId]
  const around = unscoped(db, 'products of the seller')
    .selectFrom('products')
    .select('products.id')
    .where('products.developer_id', '=', developerId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('products.id', '=', productId),
        ...(addons ? [eb('products.parent_plugin_id', '=', productId)] : []),
        ...(bundles
          ? [
              eb(
                'products.id',
                'in',
                selectFrom('bundle_members').select('bundle_id').where('product_id', '=', productId),
              ),
            ]
          : []),
      ]),
    )
    .orderBy('products.id')
  const open =
    within === undefined
      ? around
      : around.where('products.id', 'in', familyOf(db, { developerId, productId: within }))
  const found = await open.execute()
  return found.map(({ id }) => id)
}
