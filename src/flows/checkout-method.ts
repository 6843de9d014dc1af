import type { ReadContext, TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { quoteFirstPayment } from '../lib/quote.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'
import type { OfferRow } from '../resources/checkouts/queries.ts'
import type { CheckoutRow } from '../resources/checkouts/schema.ts'
import { lockLicense } from '../resources/licenses/queries.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { findSubscription, lockSubscription } from '../resources/subscriptions/queries.ts'
import type { SubscriptionRow } from '../resources/subscriptions/schema.ts'
import type { Bought, CheckoutActionModule, Priced, Settling } from './checkout-action.ts'
import { giveBackAll, holdLicenseOf, isAsPriced } from './checkout-change.ts'
import { standingOf } from './checkout-change-quote.ts'
import { refuseUnchangeable, type Licensed } from './checkout-license.ts'
import { moveDiscounts, moveTrial } from './checkout-license-queries.ts'
import type { Offer } from './checkout-offer.ts'
import { considered } from './checkout-quote.ts'
import { methodOf } from './checkout-sale.ts'
import { aboutRenewals } from './renewal-queries.ts'
import { quoteOf, type RenewalQuote } from './renewal-quote.ts'
import { writePaid } from './settle-renewal.ts'
import { endSubscription, REPLACED, startSubscription } from './start-subscription.ts'

/**
 * What the subscription of a license is for. 400 `license_lifetime` for a license that nothing renews,
 * `no_subscription` for one without an active subscription.
 */
export function offerOfMethod(prices: readonly OfferRow[], { license, current }: Licensed): Offer {
  const active = activeOf(license.expiration, current)
  const [price] = prices
    .filter(({ id, plan_id: planId }) => id === active.pricing_id || planId === active.plan_id)
    .toSorted((a, b) => Number(b.id === active.pricing_id) - Number(a.id === active.pricing_id))
  if (!price) throw notFound('checkout')
  return { price, cycle: active.billing_cycle }
}

function activeOf(expiration: string | null, current: SubscriptionRow | undefined): SubscriptionRow {
  if (expiration === null) {
    throw invalid('license_lifetime', 'This license is for life, so nothing renews it.')
  }
  if (current?.canceled_at === null) return current
  throw invalid('no_subscription', 'This license has no active subscription.')
}

/** Another method of payment for the renewals of a license, which pays what is left to pay of one. */
export const methodUpdate: CheckoutActionModule = {
  purpose: 'balance',
  price: priceMethod,
  hold: holdLicenseOf,
  async release() {},
  isStill: isAsPriced,
  settle: replaceMethod,
}

/** What is left to pay is what the next attempt would charge: the renewal with the tax of today. */
async function priceMethod(ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<Priced> {
  const standing = await standingOf(ctx, scope, row.of_license_id ?? 0)
  const { license, current } = standing
  refuseUnchangeable(license)
  const active = activeOf(license.expiration, current)
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const sold = await considered(ctx, scope, row, active.amount_per_cycle)
  const { quote, tax } = await quoteOfRenewal(ctx, active, row, now)
  const nothing = { currency: active.currency, price: 0, credit: 0, coupon: null, taxRate: 0 }
  const isOwed = active.outstanding_balance > 0
  return {
    price: sold.price,
    product: sold.product,
    amountPerCycle: active.amount_per_cycle,
    quote: isOwed ? quote : quoteFirstPayment(nothing),
    rules: { price: { rule: isOwed ? 'outstanding_balance' : 'nothing_due' } },
    tax,
    coupon: null,
    renewal: active.next_payment === null ? null : { at: active.next_payment, quote },
    renewalsDiscount: { discount: active.renewals_discount, type: active.renewals_discount_type },
    needsMethod: true,
    change: {
      kind: 'payment_method',
      licenseId: license.id,
      state: standing.state,
      subscriptionId: active.id,
      expiration: license.expiration,
      unusedCredit: 0,
      period: null,
      couponId: active.coupon_id,
    },
    now,
  }
}

async function quoteOfRenewal(
  ctx: ReadContext,
  active: SubscriptionRow,
  { vat_country: country, vat_check: check }: CheckoutRow,
  now: UtcTime,
): Promise<RenewalQuote> {
  const [about] = await aboutRenewals(ctx.db, [active.id])
  if (!about) throw notFound('subscription')
  const vatId = country === null || check === null ? null : { country, check }
  return quoteOf(ctx, { row: active, about, vatId, now })
}

/**
 * The subscription goes on as another one with the method of payment (`spec/behaviour/billing.md` 1); what was charged
 * is the renewal that it owed. Where it was cancelled meanwhile it is given back.
 */
async function replaceMethod(tx: TxContext, settling: Settling): Promise<Bought> {
  const { scope, checkout, kept } = settling
  const license = (await lockLicense(tx.db, scope, checkout.of_license_id ?? 0)) ?? null
  const before = await lockSubscription(tx.db, scope, kept.change?.subscriptionId ?? 0)
  if (!before) throw notFound('subscription')
  const userId = license?.user_id ?? before.user_id
  if (license && before.canceled_at !== null) return giveBackAll(tx, settling, license, userId)
  const methodId = await methodOf(tx, settling, userId)
  const subscription = before.canceled_at === null ? await goOn(tx, settling, before, methodId) : before
  const payment = await payOwed(tx, settling, before, subscription)
  const [after = subscription] = await findSubscription(tx.db, scope, { id: subscription.id })
  return { userId, license, payment, subscription: after }
}

/** What is paid is the period after the one that was paid last; null: nothing was owed. */
async function payOwed(
  tx: TxContext,
  { kept, charge, paid }: Settling,
  before: SubscriptionRow,
  row: SubscriptionRow,
): Promise<PaymentRow | null> {
  const { quote, tax, now } = kept
  if (quote.total === 0 || paid === null) return null
  const [about] = await aboutRenewals(tx.db, [row.id])
  if (!about) throw notFound('subscription')
  const period = kept.renewal?.at ?? before.next_payment ?? now
  return writePaid(tx, { row, about, now, period, quote, tax, charge }, paid)
}

async function goOn(
  tx: TxContext,
  { scope, charge }: Settling,
  before: SubscriptionRow,
  methodId: number | null,
): Promise<SubscriptionRow> {
  await endSubscription(tx, scope, before, REPLACED)
  const {
    id,
    product_id: _product,
    created: _created,
    updated: _updated,
    total_gross: _total,
    canceled_at: _canceled,
    due_at: _due,
    lease_until: _lease,
    fence: _fence,
    ...terms
  } = before
  const next = await startSubscription(tx, scope, {
    ...terms,
    external_id: null,
    payment_method_id: methodId,
    gateway: charge?.gateway ?? before.gateway,
  })
  await moveDiscounts(tx.db, scope, id, next.id)
  await moveTrial(tx.db, scope, id, next.id)
  return next
}
