import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_UID = 'a uid finds the install of this user in this product alone'

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

/** Those of a product's uids on which a license runs, or one that it has opened there. */
export const findUidsWithLicense = (
  db: Reader,
  { productId, licenseId, uids }: { productId: number; licenseId: number; uids: readonly string[] },
) =>
  unscoped(db, 'the sites of a license that the caller has found, whoever has them')
    .selectFrom('installs')
    .innerJoin('licenses', 'licenses.id', 'installs.license_id')
    .select('installs.uid')
    .where('installs.product_id', '=', productId)
    .where('installs.uid', 'in', inList(uids))
    .where(({ or, eb }) =>
      or([eb('licenses.id', '=', licenseId), eb('licenses.parent_license_id', '=', licenseId)]),
    )
    .execute()

/** Those of some uids by which a user of a product has an install. */
export const findUidsOfUser = (
  db: Reader,
  { productId, userId, uids }: { productId: number; userId: number; uids: readonly string[] },
) =>
  unscoped(db, BY_UID)
    .selectFrom('installs')
    .select('uid')
    .where('product_id', '=', productId)
    .where('user_id', '=', userId)
    .where('uid', 'in', inList(uids))
    .execute()

/** An install by what its client knows of it. */
export const findInstall = (
  db: Reader,
  { productId, id, uid }: { readonly productId: number; readonly id: number; readonly uid: string },
) =>
  unscoped(db, 'its client names it by id and uid, and has the key of the license on it')
    .selectFrom('installs')
    .selectAll()
    .where('product_id', '=', productId)
    .where('id', '=', id)
    .where('uid', '=', uid)
    .executeTakeFirst()

/**
 * Gives a license that is nobody's, and with it those of the same bundle, to a person: of any number of calls at
 * once one does. Those it gave.
 */
export const claimLicenses = (
  db: Writer,
  rootId: number,
  to: { readonly user_id: number; readonly updated: UtcTime },
) =>
  unscoped(db, 'of a license that the caller holds and nobody owns')
    .updateTable('licenses')
    .set(to)
    .where((or) => or.or([or('id', '=', rootId), or('parent_license_id', '=', rootId)]))
    .where('user_id', 'is', null)
    .returningAll()
    .execute()

export const insertInstallToken = prepared(
  (db: Writer, row: { install_id: number; token_hash: string; created: UtcTime }) =>
    db
      .insertInto('install_tokens')
      .values({ install_id: row.install_id, token_hash: row.token_hash, created: row.created })
      .returning('id'),
)

/** Removes an install's tokens but for the newest ones; the caller holds the install. */
export const dropOldTokens = prepared((db: Writer, { id, kept }: { id: number; kept: number }) =>
  unscoped(db, 'the tokens of an install that the caller holds')
    .deleteFrom('install_tokens')
    .where('install_id', '=', id)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('install_tokens as newest')
        .select('newest.id')
        .where('newest.install_id', '=', id)
        .orderBy('newest.id', 'desc')
        .limit(1)
        .offset(kept),
    ),
)
