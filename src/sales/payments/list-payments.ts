import { pageReader, type Context, type ReadContext } from '../../context.ts'
import type { Reader } from '../../db/database.ts'
import type { GoingOn } from '../../db/list-start.ts'
import { productsOf } from '../../db/family.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { orderOf, overProducts, pageOfAll } from '../../http/over-products.ts'
import { searchedFor } from '../../lib/searched.ts'
import { spanOf } from '../../lib/time-text.ts'
import { getInstall } from '../../licensing/installs/service.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import { countPayments, extensionsOf, listPayments, searchPayments, waiversOf } from './list-queries.ts'
import { PAYMENT } from './payment.entity.ts'
import { discountsOf } from './payment-rows.ts'
import {
  hidesBuyer,
  presentDiscount,
  presentPayment,
  type AccountPaymentList,
  type Discount,
  type ExtendedPayment,
  type InstallPaymentList,
  type Payment,
  type PaymentList,
  type PaymentRow,
  type UserPaymentList,
} from './schema.ts'
import { getSubscription } from '../subscriptions/service.ts'
import { getUser } from '../../people/users/service.ts'
import { productsAround } from './list-payments-queries.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

interface Listed {
  readonly payments: ExtendedPayment[]
  readonly discounts: Discount[]
}

/** A page of the payments of a product, newest first. What is searched for is looked up beside the requests. */
export async function paymentsOfProduct(
  ctx: ListContext,
  scope: Scope,
  query: PaymentList & GoingOn,
): Promise<Listed> {
  const { count, offset, extended, sort, below } = query
  const search = searchOf(scope, query)
  const { filter, equal, paid, search: searched } = search
  const isNarrowed =
    filter !== 'all' ||
    sort === 'id' ||
    [...Object.values(equal), paid, searched].some((one) => one !== undefined)
  const db = searched ? ctx.database.background : pageReader(ctx, { offset })
  const rows = isNarrowed
    ? await searchPayments(db, scope, search)
    : await listPayments(db, scope, { count, offset, below })
  return shown(ctx.db, scope, rows, extended)
}

/** How many payments a list of a product has, counted no further than its `count`. */
export const totalOfPayments = (ctx: ListContext, scope: Scope, query: PaymentList): Promise<number> =>
  countPayments(ctx.database.background, scope, searchOf(scope, query))

const searchOf = ({ productId }: Scope, query: PaymentList & GoingOn) => ({
  productIds: [productId],
  filter: query.filter,
  equal: {
    ...PAYMENT.columns(PAYMENT.read('filter', query)),
    ...(query.user_id !== undefined && { user_id: query.user_id }),
  },
  paid: spanOf(query),
  sort: query.sort,
  search: searchedFor(query.search),
  count: query.count,
  offset: query.offset,
  below: query.below,
})

/** A page of the payments of all products of an account, newest first. */
export async function paymentsOfAccount(
  ctx: ListContext,
  scope: Scope,
  query: AccountPaymentList,
): Promise<Listed> {
  const lists = await overProducts(ctx, scope, query, (of, whole) => paymentsOfProduct(ctx, of, whole))
  const payments = pageOfAll(
    lists.map((one) => one.payments),
    query,
    orderOf(query),
  )
  const ids = new Set(payments.map(({ id }) => id))
  const discounts = lists.flatMap((one) => one.discounts).filter(({ entity_id: of }) => ids.has(of))
  return { payments, discounts }
}

/**
 * A page of the payments of a user, newest first (`docs/interface.md` 6.2): of the product, and of its add-ons and
 * bundles where they are asked for; a path of the user without a product opens all of them (`docs/decisions.md` 3.1).
 * 404 when the product has no such user.
 */
export async function paymentsOfUser(
  ctx: ListContext,
  scope: Scope,
  userId: number,
  query: UserPaymentList,
): Promise<Listed> {
  if (scope.userId === null) await getUser(ctx, scope, userId)
  const { count, offset, filter } = query
  const around = { addons: query.include_addons, bundles: query.include_bundles }
  const productIds = scope.isFamily
    ? await productsOf(ctx.db, scope)
    : await productsAround(ctx.db, scope, around)
  const db = pageReader(ctx, { offset })
  const equal = { ...PAYMENT.columns(PAYMENT.read('filter', query)), user_id: userId }
  const rows = await searchPayments(db, scope, { productIds, filter, equal, count, offset })
  return shown(ctx.db, scope, rows, query.extended)
}

/**
 * A page of the payments for the license that is active on an install, newest first; to the install itself and its
 * user only when the license is that user's. 404 when the caller has no such install.
 */
export async function paymentsOfInstall(
  ctx: ListContext,
  scope: Scope,
  installId: number,
  { count, offset, extended }: InstallPaymentList,
): Promise<{ payments: ExtendedPayment[] }> {
  const install = await getInstall(ctx, scope, installId)
  const licenseId = install.license_id
  if (licenseId === null) return { payments: [] }
  const product = wholeProduct(scope)
  const [license] = await findLicense(ctx.db, product, { id: licenseId })
  const isOwn = license?.user_id === install.user_id
  if (!isOwn && (scope.userId !== null || scope.installId !== null)) return { payments: [] }
  const search = { productIds: [product.productId], equal: { license_id: licenseId }, count, offset }
  const rows = await searchPayments(pageReader(ctx, { offset }), product, search)
  return { payments: (await shown(ctx.db, scope, rows, extended)).payments }
}

/** A page of the payments of a subscription, newest first; 404 when the owner has no such subscription. */
export async function paymentsOfSubscription(
  ctx: ListContext,
  scope: Scope,
  id: number,
  { count, offset }: Paged,
): Promise<{ payments: Payment[] }> {
  await getSubscription(ctx, scope, id)
  const search = { productIds: [scope.productId], equal: { subscription_id: id }, count, offset }
  const rows = await searchPayments(pageReader(ctx, { offset }), scope, search)
  return { payments: rows.map((row) => presentPayment(row, scope)) }
}

/** The address is of the person that paid, which nobody else is told but the seller. */
async function shown(
  db: Reader,
  scope: Scope,
  rows: readonly PaymentRow[],
  isExtended: boolean,
): Promise<Listed> {
  if (rows.length === 0) return { payments: [], discounts: [] }
  const ids = rows.map(({ id }) => id)
  const more = isExtended ? await extensionsOf(db, ids, scope) : []
  const waivers = isExtended ? await waiversOf(db, rows) : []
  const discounts = await discountsOf(db, 'payment', ids)
  const payments = rows.map((row) => {
    const found = more.find(({ id }) => id === row.id)
    if (!found) return presentPayment(row, scope)
    const { email, url, plan_name, document } = found
    return {
      ...presentPayment(row, scope),
      email: hidesBuyer(row, scope) ? '' : email,
      url,
      billing_cycle: row.billing_cycle,
      plan_name,
      document,
      waiver: hidesBuyer(row, scope) ? null : waiverOf(row, waivers),
    }
  })
  return { payments, discounts: discounts.map(presentDiscount) }
}

type Waivers = Awaited<ReturnType<typeof waiversOf>>

/** Of the checkout that it was paid in, or else of the one that its subscription began in. */
function waiverOf({ id, subscription_id: of }: PaymentRow, waivers: Waivers) {
  const own = waivers.find(({ payment_id: paid }) => paid === id)
  const { waiver: text = null, waived_at: at = null } =
    own ?? waivers.find(({ subscription_id: begun }) => begun !== null && begun === of) ?? {}
  return text === null || at === null ? null : { text, accepted_at: at }
}
