import type { Reader } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

export const BY_UID = 'a uid finds the install of this user in this product alone'

interface ByKey {
  readonly productId: number
  readonly hash: string
}

/** Licenses by the hash of a key, each with the developer of its product. */
const byKey = (db: Reader, { hash }: ByKey) =>
  unscoped(db, 'the hash of a license key is the proof')
    .selectFrom('licenses')
    .innerJoin('products', 'products.id', 'licenses.product_id')
    .selectAll('licenses')
    .select('products.developer_id')
    .where('licenses.key_hash', '=', hash)

const ofProduct = prepared((db, by: ByKey) => byKey(db, by).where('licenses.product_id', '=', by.productId))

/** A bundle is sold as it was: what a license of it has opened stays open when the product leaves the bundle. */
const ofBundle = prepared((db, by: ByKey) =>
  byKey(db, by).where(({ or, exists, selectFrom }) =>
    or([
      exists(
        selectFrom('bundle_members')
          .select('bundle_members.bundle_id')
          .whereRef('bundle_members.bundle_id', '=', 'licenses.product_id')
          .where('bundle_members.product_id', '=', by.productId),
      ),
      exists(
        selectFrom('licenses as opened')
          .select('opened.id')
          .whereRef('opened.parent_license_id', '=', 'licenses.id')
          .where('opened.product_id', '=', by.productId),
      ),
    ]),
  ),
)

/**
 * The license that a key opens in a product: the product's own, or else that of a bundle which it is in, or was in
 * when the license opened it (`docs/interface.md` 5.8). Of the key's hashes the one of the present secret
 * comes first.
 */
export async function findByKey(db: Reader, productId: number, hashes: readonly string[]) {
  for (const find of [ofProduct, ofBundle]) {
    for (const hash of hashes) {
      const [found] = await find(db, { productId, hash })
      if (found) return found
    }
  }
  return undefined
}

const findingInstall = prepared(
  (db, { productId, userId, uid }: { productId: number; userId: number; uid: string }) =>
    unscoped(db, BY_UID)
      .selectFrom('installs')
      .select(['id', 'host', 'license_id'])
      .where('product_id', '=', productId)
      .where('uid', '=', uid)
      .where('user_id', '=', userId),
)

/** The install that a user of a product has by its uid. */
export const findInstallOfUid = async (
  db: Reader,
  by: { readonly productId: number; readonly userId: number; readonly uid: string },
) => (await findingInstall(db, by))[0]
