import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { Reader } from '../../db/database.ts'
import type { GoingOn } from '../../db/list-start.ts'
import { productsOf } from '../../db/family.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { spanOf } from '../../lib/time-text.ts'
import { searchedFor } from '../../lib/searched.ts'
import { notFound } from '../../lib/errors.ts'
import { getInstall } from '../../licensing/installs/service.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import { discountsOf } from '../payments/payment-rows.ts'
import { hidesBuyer, presentDiscount, type Discount } from '../payments/schema.ts'
import {
  countSubscriptions,
  extensionsOf,
  listSubscriptions,
  searchSubscriptions,
  type SubscriptionSearch,
} from './list-queries.ts'
import {
  presentSubscription,
  type AccountSubscriptionList,
  type ListedSubscription,
  type Subscription,
  type SubscriptionList,
  type SubscriptionRow,
} from './schema.ts'
import { SUBSCRIPTION } from './subscription.entity.ts'
import { getUser } from '../../people/users/service.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

interface Page {
  readonly subscriptions: ListedSubscription[]
  readonly discounts: Discount[]
}

/** A page of the subscriptions of a product, newest first unless it is sorted otherwise; discounts by subscription. */
export async function subscriptionsOfProduct(
  ctx: ListContext,
  scope: Scope,
  query: SubscriptionList & GoingOn,
) {
  const { below } = query
  const search = { ...searchOf(query), below }
  const { count, offset, sort } = query
  const { filter, equal, gateway, made, search: searched } = search
  const isWhole =
    filter === 'all' &&
    sort === '-id' &&
    [...Object.values(equal), gateway, made, searched].every((one) => one === undefined)
  const rows = isWhole
    ? await listSubscriptions(pageReader(ctx, { offset }), scope, { count, offset, below })
    : await found(ctx, scope, { ...search, productIds: [scope.productId] })
  const { subscriptions, discounts } = await shown(ctx.db, scope, rows, query)
  return { subscriptions, discounts: bySubscription(discounts) }
}

/** How many subscriptions a list of a product has, counted no further than its `count`. */
export const totalOfSubscriptions = (
  ctx: ListContext,
  scope: Scope,
  query: SubscriptionList,
): Promise<number> => {
  const search = { ...searchOf(query), productIds: [scope.productId] }
  return countSubscriptions(ctx.database.background, scope, search)
}

/** A page of the subscriptions of all products of an account, newest first unless it is sorted otherwise. */
export async function subscriptionsOfAccount(ctx: ListContext, scope: Scope, query: AccountSubscriptionList) {
  const lists = await overProducts(ctx, scope, query, (of, whole) => subscriptionsOfProduct(ctx, of, whole))
  const subscriptions = pageOfAll(
    lists.map((one) => one.subscriptions),
    query,
    orderOfSubscriptions(query),
  )
  const ids = new Set(subscriptions.map(({ id }) => id))
  const discounts = lists.flatMap((one) => Object.entries(one.discounts)).filter(([id]) => ids.has(id))
  return { subscriptions, discounts: Object.fromEntries(discounts) }
}

type Ordered = Pick<ListedSubscription, 'id' | 'created' | 'next_payment'>

/** As the list of a product is sorted: by the next payment, what is cancelled comes last either way. */
function orderOfSubscriptions(query: AccountSubscriptionList): (a: Ordered, b: Ordered) => number {
  const { sort } = query
  if (sort === 'id' || sort === '-id') return orderOf({ ...query, sort })
  const way = sort.startsWith('-') ? -1 : 1
  const byId = orderOf({ sort: way === 1 ? 'id' : '-id' })
  const last = way === 1 ? '9' : '0'
  const timeOf = ({ next_payment: next }: Ordered) => next ?? last
  return (a, b) => compareTexts(timeOf(a), timeOf(b)) * way || byId(a, b)
}

/**
 * A page of a user's subscriptions, in which the discounts are one list (`docs/decisions.md` 1.9); 404 when the product
 * has no such user.
 */
export async function subscriptionsOfUser(
  ctx: ListContext,
  scope: Scope,
  userId: number,
  query: SubscriptionList,
): Promise<Page> {
  if (scope.userId === null) await getUser(ctx, scope, userId)
  const productIds = await productsOf(ctx.db, scope)
  const search = searchOf(query)
  const equal = { ...search.equal, user_id: userId }
  return shown(ctx.db, scope, await found(ctx, scope, { ...search, equal, productIds }), query)
}

/**
 * A page of the subscriptions of a license on an install, newest first; to the install itself and its user only of
 * their own. 404 when the caller has no such install, or another license is on it.
 */
export async function subscriptionsOfInstall(
  ctx: ListContext,
  scope: Scope,
  {
    install_id: installId,
    license_id: licenseId,
  }: { readonly install_id: number; readonly license_id: number },
  { count, offset }: Paged,
): Promise<{ subscriptions: Subscription[] }> {
  const install = await getInstall(ctx, scope, installId)
  if (install.license_id !== licenseId) throw notFound('license')
  const product = wholeProduct(scope)
  const [license] = await findLicense(ctx.db, product, { id: licenseId })
  const isOwn = license?.user_id === install.user_id
  if (!isOwn && (scope.userId !== null || scope.installId !== null)) return { subscriptions: [] }
  const equal = { license_id: licenseId }
  const search = { productIds: [product.productId], equal, sort: '-id', count, offset } as const
  return { subscriptions: (await found(ctx, product, search)).map((row) => presentSubscription(row, scope)) }
}

/** What is searched for or far from the start is looked up beside the requests. */
const found = (ctx: ListContext, scope: Scope, search: SubscriptionSearch) =>
  searchSubscriptions(search.search ? ctx.database.background : pageReader(ctx, search), scope, search)

const searchOf = (query: SubscriptionList) => ({
  filter: query.filter,
  sort: query.sort,
  equal: SUBSCRIPTION.columns(SUBSCRIPTION.read('filter', query)),
  gateway: query.gateway,
  made: spanOf(query),
  search: searchedFor(query.search),
  count: query.count,
  offset: query.offset,
})

function bySubscription(discounts: readonly Discount[]): Record<string, Discount[]> {
  const map: Record<string, Discount[]> = {}
  for (const discount of discounts) (map[discount.entity_id] ??= []).push(discount)
  return map
}

async function shown(
  db: Reader,
  scope: Scope,
  rows: readonly SubscriptionRow[],
  { extended, enrich_with_cancellation_discounts: isEnriched }: SubscriptionList,
): Promise<Page> {
  if (rows.length === 0) return { subscriptions: [], discounts: [] }
  const ids = rows.map(({ id }) => id)
  const more = extended ? await extensionsOf(db, ids, scope) : []
  const discounts = await discountsOf(db, 'subscription', ids)
  const discounted = new Set(
    discounts.filter(({ type }) => type === 'subscription_cancellation').map((one) => one.entity_id),
  )
  const subscriptions = rows.map((row) => {
    const about = more.find(({ id }) => id === row.id)
    return {
      ...presentSubscription(row, scope),
      ...(about && {
        plan_name: about.plan_name,
        email: hidesBuyer(row, scope) ? '' : about.email,
        url: about.url,
        title: about.title,
      }),
      ...(isEnriched && { has_subscription_cancellation_discount: discounted.has(row.id) }),
    }
  })
  return { subscriptions, discounts: discounts.map(presentDiscount) }
}
