import type { Reader } from './database.ts'
import type { Owner } from './scoped.ts'

type Family = Pick<Owner, 'developerId' | 'productId' | 'within'>

/**
 * The ids of a product, its add-ons and the bundles that it is in, all of one seller: what the keys of the product's
 * users open (`docs/decisions.md` 3.1). With `within` only those that the keys of that one's users open too
 * (`docs/decisions.md` 3.20).
 */
export function familyOf(db: Reader, { within, ...own }: Family) {
  const family = wholeFamilyOf(db, own)
  if (within === undefined) return family
  return family.where('products.id', 'in', wholeFamilyOf(db, { ...own, productId: within }))
}

const wholeFamilyOf = (db: Reader, { developerId, productId }: Omit<Family, 'within'>) =>
  db
    .selectFrom('products')
    .select('products.id')
    .where('products.developer_id', '=', developerId)
    .where((or) =>
      or.or([
        or('products.id', '=', productId),
        or('products.parent_plugin_id', '=', productId),
        or(
          'products.id',
          'in',
          or.selectFrom('bundle_members').select('bundle_id').where('product_id', '=', productId),
        ),
      ]),
    )

/** The products that a list of `owner` goes over: its own, or the family of that. */
export async function productsOf(db: Reader, owner: Owner): Promise<readonly number[]> {
  if (!owner.isFamily) return [owner.productId]
  const found = await familyOf(db, owner).orderBy('products.id').execute()
  return found.map(({ id }) => id)
}
