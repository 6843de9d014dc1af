import type { ReadContext } from '../../context.ts'
import { businessTime } from '../../db/business-time.ts'
import { productsOf } from '../../db/family.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { maskedEmail } from '../../lib/masked-email.ts'
import { hashesOfKey } from './key.ts'
import type { ParentLicenseList, UserLicense, UserLicenseList } from './list-schema.ts'
import { knownHashes, listOfUser, productsOfStore } from './of-user-queries.ts'
import { bundleLicensesOf, bundlesOpening } from './user-queries.ts'
import { ownersOfLicenses } from './license-owner-rows.ts'
import { getUser } from '../../people/users/service.ts'
import { shownLicenses } from './list-licenses.ts'

/**
 * A page of a user's licenses, newest first (`docs/interface.md` 4.6). After a `+` the ids and keys do not narrow: what
 * they name comes too when it is another owner's, if its key is given or it is active on an install of the user. To the
 * person itself, logged in, `store_id` opens every product; a path of the user without a product opens the family of
 * its own one (`docs/decisions.md` 3.1). 404 when the product has no such user, unless it is the user who asks.
 */
export async function licensesOfUser(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  query: UserLicenseList,
): Promise<UserLicense[]> {
  if (scope.userId === null) await getUser(ctx, scope, userId)
  const { type, store_id: store, environment, count, offset } = query
  const isOfStore = scope.actor.isPerson === true && store !== undefined
  const productIds = isOfStore
    ? await productsOfStore(ctx.db, scope, idOf(store))
    : await productsOf(ctx.db, scope)
  const isMore = opensOthers(query)
  const names = namesOf(ctx, query)
  const rows = await listOfUser(ctx.db, scope, {
    userId,
    type,
    environment,
    only: isMore ? null : names,
    foreign: isMore ? names : null,
    productIds,
    time: businessTime(ctx.clock, productIds),
    count,
    offset,
  })
  return shownLicenses(ctx, rows, query.is_enriched)
}

/** Whether the keys that are given open licenses of other owners too. */
const opensOthers = ({ ids }: UserLicenseList) => /^[+ ]/.test(ids ?? '')

/** How many of the keys that may open licenses of other owners are no license's. */
export async function missedKeys(ctx: ReadContext, scope: Scope, query: UserLicenseList): Promise<number> {
  if (!opensOthers(query)) return 0
  const given = keysIn(query).map((key) => hashesOfKey(key, ctx.keys))
  if (given.length === 0) return 0
  const known = new Set(await knownHashes(ctx.db, scope, await productsOf(ctx.db, scope), given.flat()))
  return given.filter((hashes) => !hashes.some((hash) => known.has(hash))).length
}

const keysIn = ({ license_key: key, license_keys: list }: UserLicenseList) =>
  [...(list ?? '').split(','), key ?? ''].filter((one) => one.trim() !== '')

const idOf = (text: string) => (text.trim() === '' ? null : Number(text))

function namesOf({ keys }: ReadContext, query: UserLicenseList) {
  const { ids, license_key: key, license_keys: list } = query
  if (ids === undefined && key === undefined && list === undefined) return null
  return {
    ids: parseIdList((ids ?? '').replace(/^[+ ]/, '')) ?? [],
    hashes: keysIn(query).flatMap((one) => hashesOfKey(one, keys)),
  }
}

/**
 * A page of a user's licenses of bundles that open the scope's product, newest first; `activatable` those with which
 * an install of the product can be activated now: not cancelled, not expired, and not used up in it.
 */
export async function parentLicenses(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  { filter, count, offset }: ParentLicenseList,
): Promise<UserLicense[]> {
  const bundleIds = await bundlesOpening(ctx.db, scope)
  const activatableAt = filter && businessTime(ctx.clock, [scope.productId, ...bundleIds])
  const rows = await bundleLicensesOf(ctx.db, scope, { userId, activatableAt, count, offset })
  return shownLicenses(ctx, rows, true)
}

/**
 * A page of the owners of the licenses on a user's installs, by id and address, which is masked where it is another
 * person's; none to who is not proven to be the user.
 */
export async function licenseOwners(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  { install_ids: installIds, count, offset }: Paged & { readonly install_ids?: string },
): Promise<{ id: string; email: string }[]> {
  if (scope.reach) return []
  const found = await ownersOfLicenses(ctx.db, scope, {
    userId,
    productIds: await productsOf(ctx.db, scope),
    installIds: parseIdList(installIds ?? '') ?? [],
    page: { count, offset },
  })
  return found.map(({ id, email }) => ({ id: String(id), email: id === userId ? email : maskedEmail(email) }))
}
