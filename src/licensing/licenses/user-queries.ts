import { sql } from 'kysely'
import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import type { Reader } from '../../db/database.ts'
import { familyOf } from '../../db/family.ts'
import { isInReach } from '../../db/reach.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'
import type { Page } from './license-owner-rows.ts'

/** The bundles that a product is in. */
export const bundlesOpening = async (db: Reader, { productId }: Owner): Promise<number[]> => {
  const found = await unscoped(db, 'of the product of the scope')
    .selectFrom('bundle_members')
    .select('bundle_id')
    .where('product_id', '=', productId)
    .execute()
  return found.map(({ bundle_id: id }) => id)
}

/**
 * A page of the licenses of bundles that the user has and that open the scope's product, which is in the bundle, or
 * was when the license opened it; newest first. With `activatableAt` only those that let one more install of the
 * product be activated then: what the license opened in the product decides, where it has.
 */
export function bundleLicensesOf(
  db: Reader,
  owner: Owner,
  { userId, activatableAt: time, count, offset }: Page & { readonly activatableAt: BusinessTime | undefined },
) {
  let found = unscoped(db, 'licenses of a user, of bundles that the product of the scope is in')
    .selectFrom('licenses')
    .leftJoin('licenses as opened', (join) =>
      join
        .onRef('opened.parent_license_id', '=', 'licenses.id')
        .on('opened.product_id', '=', owner.productId),
    )
    .selectAll('licenses')
    .where('licenses.user_id', '=', userId)
    .where(owner.reach ? isInReach('licenses', owner.reach) : sql<boolean>`1 = 1`)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('bundle_members')
            .select('bundle_members.bundle_id')
            .whereRef('bundle_members.bundle_id', '=', 'licenses.product_id')
            .where('bundle_members.product_id', '=', owner.productId),
        ),
        eb('opened.id', 'is not', null),
      ]),
    )
  const { developerId, productId, within = productId } = owner
  if (within !== productId)
    found = found.where('licenses.product_id', 'in', familyOf(db, { developerId, productId: within }))
  if (time) {
    found = found
      .where('licenses.is_cancelled', '=', false)
      .where(end('licenses'), '>', timeOfRow('licenses', time))
      .where((or) => or.or([or('opened.id', 'is', null), hasRoom('opened', time)]))
  }
  return found.orderBy('licenses.id', 'desc').limit(count).offset(offset).execute()
}

/** Null never comes. */
const end = (table: 'licenses' | 'opened') => sql<string>`coalesce(${sql.ref(`${table}.expiration`)}, '9')`

/** As `countActivation` decides for production (`docs/interface.md` 5.3). */
const hasRoom = (table: 'opened', time: BusinessTime) => sql<boolean>`(
  ${sql.ref(`${table}.is_cancelled`)} = 0 and ${end(table)} > ${timeOfRow(table, time)}
  and (${sql.ref(`${table}.quota`)} is null or ${sql.ref(`${table}.quota`)} >
    ${sql.ref(`${table}.activated`)} + ${sql.ref(`${table}.activated_local`)} * (1 - ${sql.ref(`${table}.is_free_localhost`)})))`
