import { sql } from 'kysely'
import { ofAnyUser } from '../../access/scope.ts'
import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { isInReach } from '../../db/reach.ts'
import { scopedIn, unscoped, type Owner } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Licenses by id, and by the hashes that their keys may have. */
export interface Names {
  readonly ids: readonly number[]
  readonly hashes: readonly string[]
}

export interface UserLicenses {
  readonly userId: number
  readonly type: 'all' | 'active' | 'expired'
  /** Undefined: either. */
  readonly environment: Environment | undefined
  /** Null: whichever. */
  readonly only: Names | null
  /** Those of other owners that are shown too, by what shows that the user may see them. */
  readonly foreign: Names | null
  /** Of which products. */
  readonly productIds: readonly number[]
  readonly time: BusinessTime
  readonly count: number
  readonly offset: number
}

/** The products of a person's seller, or of one of its stores. */
export async function productsOfStore(
  db: Reader,
  { developerId }: Owner,
  storeId: number | null,
): Promise<number[]> {
  let found = unscoped(db, 'products of the seller')
    .selectFrom('products')
    .select('products.id')
    .where('products.developer_id', '=', developerId)
  if (storeId !== null) found = found.where('products.store_id', '=', storeId)
  return (await found.orderBy('products.id').execute()).map(({ id }) => id)
}

/** Which of these hashes of keys are those of licenses of the products, whosever they are. */
export async function knownHashes(
  db: Reader,
  owner: Owner,
  productIds: readonly number[],
  hashes: readonly string[],
): Promise<string[]> {
  const found = await scopedIn(db, 'licenses', ofAnyUser(owner), productIds)
    .select()
    .select('licenses.key_hash')
    .where('licenses.key_hash', 'in', hashes)
    .execute()
  return found.map(({ key_hash: hash }) => hash)
}

/** A page of a user's licenses, newest first. */
export const listOfUser = (db: Reader, owner: Owner, filter: UserLicenses) =>
  pageOfUser(db, owner, filter).execute()

/**
 * What is the user's, what a key opens and what has an id are found apart: each has an index of its own, which one `or`
 * of the three would not use.
 */
export function pageOfUser(db: Reader, owner: Owner, filter: UserLicenses) {
  const [first, ...others] = partsOf(db, owner, filter)
  const ids = others.reduce(
    (found, more) => found.unionAll(more),
    unscoped(db, FOUND).selectFrom(first.as('first')).select('first.id'),
  )
  const page = unscoped(db, FOUND)
    .selectFrom(ids.as('found'))
    .select('found.id')
    .distinct()
    .orderBy('found.id', 'desc')
    .limit(filter.count)
    .offset(filter.offset)
  return unscoped(db, FOUND)
    .selectFrom('licenses')
    .selectAll()
    .where('licenses.id', 'in', page)
    .orderBy('licenses.id', 'desc')
}

const FOUND = 'the ids are those of scoped queries'

/** None of them has more than what is needed of the page. */
function partsOf(db: Reader, owner: Owner, filter: UserLicenses): [Found, ...Found[]] {
  const { userId, only, foreign, count, offset } = filter
  const found = () => inState(inProducts(db, owner, filter), filter)
  const isOwn = sql<boolean>`licenses.user_id + 0 = ${userId}`
  const within = (licenses: Found) =>
    owner.reach ? licenses.where(isInReach('licenses', owner.reach)) : licenses
  if (only) return [within(byId(found(), only)).where(isOwn), byKey(found(), only).where(isOwn)]
  const own = within(found())
    .where('licenses.user_id', '=', userId)
    .orderBy('licenses.id', 'desc')
    .limit(offset + count)
  if (!foreign) return [own]
  return [own, byKey(found(), foreign), onInstallOf(db, owner, byId(found(), foreign), userId)]
}

/** Also in the scope of the user: whose they are is said beside it. */
const inProducts = (db: Reader, owner: Owner, { productIds }: UserLicenses) =>
  scopedIn(db, 'licenses', ofAnyUser(owner), productIds).select().select('licenses.id')

type Found = ReturnType<typeof inProducts>

/** As expressions, which no index has: those of their columns go over whole products. */
function inState(all: Found, { type, environment, time }: UserLicenses): Found {
  const found =
    environment === undefined ? all : all.where(sql<number>`licenses.environment + 0`, '=', environment)
  if (type === 'all') return found
  const end = sql<UtcTime>`coalesce(licenses.expiration, '9')`
  return found
    .where(sql<number>`licenses.is_cancelled + 0`, '=', 0)
    .where(end, type === 'active' ? '>' : '<=', timeOfRow('licenses', time))
}

const byId = (found: Found, { ids }: Names): Found => found.where('licenses.id', 'in', inList(ids))

/** Who has the key may see the license. */
const byKey = (found: Found, { hashes }: Names): Found =>
  found.where('licenses.key_hash', 'in', hashes.length > 0 ? (hashes as string[]) : [''])

/** And whoever has it on an install. */
const onInstallOf = (db: Reader, { reach }: Owner, found: Found, userId: number): Found =>
  found.where(({ exists }) =>
    exists(
      unscoped(db, 'installs of the user, on any license')
        .selectFrom('installs')
        .select('installs.id')
        .where(sql<boolean>`installs.license_id = licenses.id`)
        .where(sql<number>`installs.user_id + 0`, '=', userId)
        .where(reach ? isInReach('installs', reach) : sql<boolean>`1 = 1`),
    ),
  )
