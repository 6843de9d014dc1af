import type { ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { parseIdList } from '../lib/id-list.ts'
import { toUtcTime } from '../lib/time.ts'
import { hashesOfKey } from '../resources/licenses/key.ts'
import type { UserLicense, UserLicenseList } from '../resources/licenses/list-schema.ts'
import { presentLicense, type LicenseRow } from '../resources/licenses/schema.ts'
import { bundleLicensesOf, listOfUser, ownersOfLicenses } from '../resources/licenses/user-queries.ts'
import { getUser } from '../resources/users/service.ts'
import { kindsOfProducts, membersOf } from './list-licenses-queries.ts'
import { enrichments } from './list-licenses.ts'

/**
 * A page of a user's licenses, newest first (SPEC 4.1). After a `+` the ids and keys do not narrow: what they name
 * comes too when it is another owner's, if its key is given or it is active on an install of the user. To the
 * person itself, logged in, `store_id` opens every product. 404 when the product has no such user.
 */
export async function licensesOfUser(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  query: UserLicenseList,
): Promise<UserLicense[]> {
  await getUser(ctx, scope, userId)
  const { type, count, offset } = query
  const isMore = /^[+ ]/.test(query.ids ?? '')
  const names = namesOf(ctx, query)
  const rows = await listOfUser(ctx.db, scope, {
    userId,
    type,
    only: isMore ? null : names,
    foreign: isMore ? names : null,
    ofStore: isPerson(scope) && query.store_id !== undefined ? { storeId: idOf(query.store_id) } : undefined,
    now: toUtcTime(ctx.clock.of(scope.productId, 0)),
    count,
    offset,
  })
  return query.is_enriched ? enriched(ctx, rows) : rows.map((row) => presentLicense(row, ctx.keys))
}

/** The keys of a user open one product, a login the person. */
const isPerson = ({ kind, actor }: Scope) => kind === 'user' && actor.credential.startsWith('FSA:')

const idOf = (text: string) => (/^[1-9][0-9]{0,14}$/.test(text.trim()) ? Number(text.trim()) : null)

function namesOf({ keys }: ReadContext, { ids, license_key: key, license_keys: list }: UserLicenseList) {
  if (ids === undefined && key === undefined && list === undefined) return null
  const given = [...(list ?? '').split(','), key ?? ''].filter((one) => one.trim() !== '')
  return {
    ids: parseIdList((ids ?? '').replace(/^[+ ]/, '')) ?? [],
    hashes: given.flatMap((one) => hashesOfKey(one, keys)),
  }
}

async function enriched(ctx: ReadContext, rows: readonly LicenseRow[]): Promise<UserLicense[]> {
  if (rows.length === 0) return []
  const more = await enrichments(ctx, rows)
  const products = await kindsOfProducts(ctx.db, [...new Set(rows.map((row) => row.product_id))])
  const bundles = products.filter(({ kind }) => kind === 'bundle').map(({ id }) => id)
  const members = bundles.length === 0 ? [] : await membersOf(ctx.db, bundles)
  return rows.map((row) => {
    const product = products.find(({ id }) => id === row.product_id)
    const isBundle = product?.kind === 'bundle'
    const own = members.filter(({ bundle_id: id }) => id === row.product_id)
    return {
      ...presentLicense(row, ctx.keys),
      ...more.get(row.id),
      plugin_type: isBundle ? 'bundle' : (product?.type ?? 'plugin'),
      ...(isBundle && { products: own.map(({ product_id: id }) => String(id)) }),
    }
  })
}

/** A user's licenses of bundles that open the scope's product; `activatable` those that have room now. */
export async function parentLicenses(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  filter: 'activatable' | undefined,
): Promise<UserLicense[]> {
  const now = toUtcTime(ctx.clock.of(scope.productId, 0))
  const rows = await bundleLicensesOf(ctx.db, scope, userId)
  const isActivatable = ({ is_cancelled: cancelled, expiration: end }: LicenseRow) =>
    cancelled === 0 && (end === null || end > now)
  return enriched(ctx, filter === undefined ? rows : rows.filter(isActivatable))
}

/** The owners of the licenses on a user's installs, by id and address. */
export async function licenseOwners(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  installIds: string | undefined,
): Promise<{ id: string; email: string }[]> {
  const found = await ownersOfLicenses(ctx.db, scope, {
    userId,
    installIds: parseIdList(installIds ?? '') ?? [],
  })
  return found.map(({ id, email }) => ({ id: String(id), email }))
}
