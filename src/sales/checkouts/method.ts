import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { quoteFirstPayment } from '../quotes/quote.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import type { OfferRow } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { findSubscription } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { Bought, Change, CheckoutActionModule, Priced, Settling } from './action.ts'
import { giveBackAll, holdLicenseOf, isAsPriced, refuseForNothing } from './change.ts'
import { standingOf } from './change-quote.ts'
import type { Licensed } from './license.ts'
import { refuseUnchangeable } from '../../licensing/licenses/unchangeable.ts'
import { moveDiscounts, moveTrial } from './license-queries.ts'
import type { Offer } from './offer.ts'
import { considered } from './quote.ts'
import { methodOf } from './sale.ts'
import type { CheckoutState } from './state.ts'
import { dueFrom, lateBy, leaveOutPast, withGrace, type Due } from '../renewals/late-renewal.ts'
import { aboutRenewal } from '../renewals/renewal-rows.ts'
import { quoteAfterNext, quoteOf, type RenewalQuote } from '../renewals/quote.ts'
import { endOfPaid } from '../renewals/payment.ts'
import { writePaid } from '../renewals/settle-renewal.ts'
import { endSubscription, REPLACED, startSubscription } from '../subscriptions/start-subscription.ts'

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

/**
 * Another method of payment for the renewals of a license, which pays what is left to pay of one. Who holds a license
 * key and no more replaces it only by paying: 400 `owner_required` where nothing is owed.
 */
export const methodUpdate: CheckoutActionModule = {
  purpose: 'balance',
  price: priceMethod,
  async hold(tx, scope, row, priced) {
    refuseForNothing(row, priced)
    await holdLicenseOf(tx, scope, row, priced)
  },
  async release() {},
  isStill: isAsPriced,
  settle: replaceMethod,
}

/**
 * What is left to pay is what the next attempt would charge: one renewal with the tax of today, of the period that
 * holds today where others were over before it (`docs/decisions.md` 5.5).
 */
async function priceMethod(ctx: ReadContext, state: CheckoutState): Promise<Priced> {
  const { scope, row } = state
  const standing = await standingOf(ctx, scope, row.of_license_id ?? 0)
  const { license, current } = standing
  refuseUnchangeable(license)
  const active = activeOf(license.expiration, current)
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const sold = considered(state, active.amount_per_cycle)
  const about = await aboutRenewal(ctx.db, active.id)
  const { quote, tax } = await quoteOfRenewal(ctx, { row: active, about, now }, row)
  const nothing = { currency: active.currency, price: 0, credit: 0, coupon: null, taxRate: 0 }
  const isOwed = active.outstanding_balance > 0
  const { renewal, ...then } = isOwed
    ? afterPaying({ row: active, about, now }, license, tax.rate)
    : {
        renewal: active.next_payment === null ? null : { at: dueAt({ row: active, about, now }), quote },
        expiration: license.expiration,
        period: null,
      }
  return {
    price: sold.price,
    product: sold.product,
    amountPerCycle: active.amount_per_cycle,
    quote: isOwed ? quote : quoteFirstPayment(nothing),
    rules: { price: { rule: isOwed ? 'outstanding_balance' : 'nothing_due' } },
    tax,
    coupon: null,
    renewal,
    renewalsDiscount: { discount: active.renewals_discount, type: active.renewals_discount_type },
    needsMethod: true,
    change: {
      kind: 'payment_method',
      licenseId: license.id,
      state: standing.state,
      subscriptionId: active.id,
      unusedCredit: 0,
      ...then,
      couponId: active.coupon_id,
    },
    now,
  }
}

/** What stands once what is owed is paid, as `writePaid` writes it. */
function afterPaying(
  due: Due,
  { expiration }: LicenseRow,
  taxRate: number,
): Pick<Priced, 'renewal'> & Pick<Change, 'expiration' | 'period'> {
  const start = dueAt(due)
  const row = { ...due.row, ...dueFrom(due.row, start) }
  const end = endOfPaid({ row, period: start })
  if (end === null) return { renewal: null, expiration: null, period: null }
  const until = withGrace(due, end)
  return {
    renewal: { at: end, quote: quoteAfterNext(due, taxRate) },
    expiration: expiration !== null && expiration > until ? expiration : until,
    period: { anchor: row.period_anchor, start, end },
  }
}

/** When what is due next is due, of the period that holds today where others were over before it. */
const dueAt = (due: Due): UtcTime => lateBy(due, due.row.next_payment ?? due.now).start

function quoteOfRenewal(
  ctx: ReadContext,
  due: Due,
  { vat_country: country, vat_check: check }: CheckoutRow,
): Promise<RenewalQuote> {
  const vatId = country === null || check === null ? null : { country, check }
  return quoteOf(ctx, { ...due, vatId })
}

/**
 * The subscription goes on as another one with the method of payment (`docs/interface.md` 7.1); what was charged
 * is the renewal that it owed. Where it was cancelled meanwhile it is given back.
 */
async function replaceMethod(tx: TxContext, settling: Settling): Promise<Bought> {
  const { scope, checkout, kept } = settling
  const license = (await hold(tx.db, 'licenses', scope, checkout.of_license_id ?? 0)) ?? null
  const before = await hold(tx.db, 'subscriptions', scope, kept.change?.subscriptionId ?? 0)
  if (!before) throw notFound('subscription')
  const userId = license?.user_id ?? before.user_id
  if (license && before.canceled_at !== null) return giveBackAll(tx, settling, license, userId)
  const methodId = await methodOf(tx, settling, userId)
  const subscription = before.canceled_at === null ? await goOn(tx, settling, before, methodId) : before
  const payment = await payOwed(tx, settling, before, subscription)
  const [after = subscription] = await findSubscription(tx.db, scope, { id: subscription.id })
  return { userId, license, payment, subscription: after }
}

/**
 * What is paid is the period after the one that was paid last, or the one that holds today, by when it was priced, and
 * those before it are left out; null: nothing was owed.
 */
async function payOwed(
  tx: TxContext,
  { kept, charge, paid }: Settling,
  before: SubscriptionRow,
  given: SubscriptionRow,
): Promise<PaymentRow | null> {
  const { quote, tax } = kept
  if (quote.total === 0 || paid === null) return null
  const about = await aboutRenewal(tx.db, given.id)
  const now = toUtcTime(tx.clock.of(given.product_id, given.environment))
  const { start: period } = lateBy(
    { row: given, about, now },
    kept.change?.period?.start ?? before.next_payment ?? now,
  )
  const row = await leaveOutPast(tx, { row: given, about, now })
  const couponId = kept.change?.couponId ?? null
  return writePaid(tx, { row, about, now, period, quote, tax, couponId, charge }, paid)
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
  await moveDiscounts(tx.db, scope, { from: id, to: next.id })
  await moveTrial(tx.db, scope, id, next.id)
  return next
}
