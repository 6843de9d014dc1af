import { sql, type ExpressionBuilder } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { Tables } from '../../db/tables/tables.ts'
import type { UtcTime } from '../../lib/time.ts'

export interface UserLicenses {
  readonly userId: number
  readonly type: 'all' | 'active' | 'expired'
  /** Null: whichever. Hashes are those of keys. */
  readonly only: { readonly ids: readonly number[]; readonly hashes: readonly string[] } | null
  /** Those of other owners that are shown too, by what shows that the user may see them. */
  readonly foreign: { readonly ids: readonly number[]; readonly hashes: readonly string[] } | null
  /** A person's licenses of all products of its seller, or of one store; undefined: of the scope's product. */
  readonly ofStore: { readonly storeId: number | null } | undefined
  readonly now: UtcTime
  readonly count: number
  readonly offset: number
}

/** A page of a user's licenses, newest first. */
export function listOfUser(db: Reader, owner: Owner, filter: UserLicenses) {
  const { userId, type, now, count, offset } = filter
  let found = ofWhom(db, owner, filter)
  const { only, foreign } = filter
  if (only) found = found.where((or) => or.or(named(or, only)))
  const isOwn = sql<boolean>`licenses.user_id = ${userId}`
  found = foreign
    ? found.where((or) => or.or([isOwn, ...shown(db, or, foreign, userId)]))
    : found.where(isOwn)
  if (type === 'active')
    found = found
      .where('licenses.is_cancelled', '=', 0)
      .where((or) => or.or([or('licenses.expiration', 'is', null), or('licenses.expiration', '>', now)]))
  if (type === 'expired')
    found = found.where('licenses.is_cancelled', '=', 0).where('licenses.expiration', '<=', now)
  return found.orderBy('licenses.id', 'desc').limit(count).offset(offset).execute()
}

/** Also in the scope of the user, whose own licenses are told from others below. */
function ofWhom(db: Reader, owner: Owner, { ofStore }: UserLicenses) {
  if (ofStore === undefined)
    return scoped(db, 'licenses', { ...owner, userId: null })
      .select()
      .selectAll()
  const { storeId } = ofStore
  let products = unscoped(db, 'products of the seller')
    .selectFrom('products')
    .select('products.id')
    .where('products.developer_id', '=', owner.developerId)
  if (storeId !== null) products = products.where('products.store_id', '=', storeId)
  return unscoped(db, 'licenses of a person in products of its seller')
    .selectFrom('licenses')
    .selectAll()
    .where('licenses.product_id', 'in', products)
}

type Builder = ExpressionBuilder<Tables, 'licenses'>
type Names = NonNullable<UserLicenses['only']>

const named = (or: Builder, { ids, hashes }: Names) => [
  or('licenses.id', 'in', inList(ids)),
  ...(hashes.length > 0 ? [or('licenses.key_hash', 'in', hashes as string[])] : []),
]

/** Who has the key may see the license, and whoever has it on an install. */
const shown = (db: Reader, or: Builder, { ids, hashes }: Names, userId: number) => [
  ...(hashes.length > 0 ? [or('licenses.key_hash', 'in', hashes as string[])] : []),
  or.and([
    or('licenses.id', 'in', inList(ids)),
    or.exists(
      unscoped(db, 'installs of the user, on any license')
        .selectFrom('installs')
        .select('installs.id')
        .where(sql<boolean>`installs.license_id = licenses.id`)
        .where('installs.user_id', '=', userId),
    ),
  ]),
]

/** Licenses of bundles that the user has and that open the scope's product, newest first. */
export const bundleLicensesOf = (db: Reader, owner: Owner, userId: number) =>
  unscoped(db, 'licenses of a user, of bundles that the product of the scope is in')
    .selectFrom('licenses')
    .innerJoin('bundle_members', 'bundle_members.bundle_id', 'licenses.product_id')
    .selectAll('licenses')
    .where('bundle_members.product_id', '=', owner.productId)
    .where('licenses.user_id', '=', userId)
    .orderBy('licenses.id', 'desc')
    .execute()

/** Who else owns licenses that are active on installs of the user. */
export function ownersOfLicenses(
  db: Reader,
  owner: Owner,
  { userId, installIds }: { readonly userId: number; readonly installIds: readonly number[] },
) {
  let found = scoped(db, 'installs', owner)
    .select()
    .innerJoin('licenses', 'licenses.id', 'installs.license_id')
    .innerJoin('users', 'users.id', 'licenses.user_id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('installs.user_id', '=', userId)
  if (installIds.length > 0) found = found.where('installs.id', 'in', inList(installIds))
  return found.orderBy('users.id').limit(50).execute()
}
