import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import { BY_UID } from './by-key-rows.ts'

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
