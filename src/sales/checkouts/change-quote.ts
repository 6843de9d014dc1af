import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { addMonths, periodAfter } from '../../lib/periods.ts'
import { betterOff, keptDiscount, quoteRenewal, type Discount } from '../quotes/quote.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { renewalGrace } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import { amountOff } from '../coupons/evaluate.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { Change, Period, Priced } from './action.ts'
import { creditOf } from './credit.ts'
import { cycleOf } from './license.ts'
import { refuseUnchangeable } from '../../licensing/licenses/unchangeable.ts'
import { paymentsOf, subscriptionsOf } from './license-queries.ts'
import { appliedCoupon, considered, couponOf, priceOffer, taxOf } from './quote.ts'
import { aboutRenewal } from '../renewals/renewal-rows.ts'
import { couponOf as couponOfRenewals, lastingCoupons, lastingOf } from '../renewals/quote.ts'
import { currentOf } from '../subscriptions/subscriptions.ts'
import type { CheckoutState } from './state.ts'

/** A license with everything that the price of a change depends on. */
export interface Standing {
  readonly license: LicenseRow
  /** The latest first. */
  readonly subscriptions: readonly SubscriptionRow[]
  /** The one that renews it, or else the latest. */
  readonly current: SubscriptionRow | undefined
  readonly active: SubscriptionRow | undefined
  readonly state: string
  readonly graceMs: number
}

/** How the license of a checkout stands; 404 when it was erased. */
export async function standingOf(ctx: ReadContext, scope: Scope, licenseId: number): Promise<Standing> {
  const license = await getLicense(ctx, scope, licenseId)
  const subscriptions = await subscriptionsOf(ctx.db, scope, licenseId)
  const current = subscriptions.toReversed().reduce<SubscriptionRow | undefined>(currentOf, undefined)
  const [payment] = await paymentsOf(ctx.db, scope, licenseId)
  const { user_id, plan_id, pricing_id, quota, expiration, is_cancelled } = license
  return {
    license,
    subscriptions,
    current,
    active: current?.canceled_at === null ? current : undefined,
    graceMs: (await renewalGrace(ctx.db, scope)) * HOUR,
    state: [
      user_id,
      plan_id,
      pricing_id,
      quota,
      expiration,
      is_cancelled,
      current?.id,
      current?.next_payment,
      current?.period_start,
      current?.attempt,
      payment?.id,
      payment?.refunded_gross,
    ].join(' '),
  }
}

/** What a renewal or another plan, price or cycle of a license comes to, and why (`docs/interface.md` 7.5). */
export async function priceChange(ctx: ReadContext, checkout: CheckoutState): Promise<Priced> {
  const { scope, row } = checkout
  const standing = await standingOf(ctx, scope, row.of_license_id ?? 0)
  const { license } = standing
  refuseUnchangeable(license)
  const isLifetime = license.expiration === null
  if (isLifetime && row.billing_cycle !== 0)
    throw lifetime('and cannot be paid by the year or month instead.')
  const isOther = isSomethingElse(checkout, standing)
  if (!isOther && isLifetime) throw lifetime('so nothing renews it.')
  const priced = await (isOther ? priceUpgrade : priceRenewal)(ctx, checkout, standing)
  return { ...priced, needsMethod: priced.renewal !== null && !isOwnMethod(row, standing) }
}

/** Whether it is another plan, price or cycle than a renewal has; a lifetime is bought and renews nothing. */
function isSomethingElse({ row, sold }: CheckoutState, { license, current }: Standing): boolean {
  const { plan_id: planId, pricing_id: pricingId, billing_cycle: cycle } = row
  if (planId !== license.plan_id || pricingId !== (license.pricing_id ?? pricingId)) return true
  if (cycle === 0) return license.expiration !== null
  const price = current ? undefined : sold.offer
  return cycle !== cycleOf(license, current, price)
}

/**
 * Whether what costs nothing now is renewed by the stored method: its owner changes it, and no mere holder of a key.
 */
const isOwnMethod = ({ is_hidden: isHidden }: CheckoutRow, { license, active }: Standing): boolean =>
  !isHidden && (active === undefined || active.user_id === license.user_id)

const lifetime = (what: string) => invalid('license_lifetime', `This license is for life, ${what}`)

/** Something else: what is left of what was paid is off its price, and its periods begin today. */
async function priceUpgrade(ctx: ReadContext, checkout: CheckoutState, standing: Standing): Promise<Priced> {
  const { scope, row } = checkout
  const { license, subscriptions } = standing
  const plain = await priceOffer(ctx, checkout)
  const credit = await creditOf(ctx, scope, {
    licenseId: license.id,
    subscriptions,
    lifetimeDays: plain.product.lifetime_license_proration_days,
    by: { currency: plain.price.currency, isLifetime: row.billing_cycle === 0 },
    now: plain.now,
  })
  const priced = await priceOffer(ctx, checkout, { credit: credit.amount })
  const { now, renewal } = priced
  const period = renewal && { anchor: now, start: now, end: renewal.at }
  const { daysLeft, days } = credit
  const rule = license.expiration === null ? 'lifetime_credit' : 'unused_days'
  return {
    ...priced,
    rules: { proration: { rule, daysLeft, days } },
    change: {
      ...changeOf(standing, period),
      kind: 'upgrade',
      expiration: renewal && after(renewal.at, standing.graceMs),
      unusedCredit: Math.max(0, credit.amount - priced.amountPerCycle),
      couponId: appliedCoupon(priced)?.id ?? null,
    },
  }
}

const changeOf = ({ license, active, state }: Standing, period: Period | null) =>
  ({
    licenseId: license.id,
    state,
    subscriptionId: active?.id ?? null,
    formerCouponId: active?.coupon_id ?? null,
    period,
  }) satisfies Partial<Change>

const after = (time: UtcTime, ms: number): UtcTime => toUtcTime(fromUtcTime(time) + ms)

/** Prices a renewal: at the price of its subscription, from the end of what is paid, or from today when it lapsed. */
async function priceRenewal(ctx: ReadContext, checkout: CheckoutState, standing: Standing): Promise<Priced> {
  const { license, current, graceMs } = standing
  const priced = current
    ? await priceAgain(ctx, checkout, current)
    : { ...(await priceOffer(ctx, checkout)), lasting: [] }
  const period = periodOf(standing, checkout.row.billing_cycle || 12, priced.now)
  const expiration = after(period.end, graceMs)
  const isLater = license.expiration !== null && license.expiration > expiration
  const { lasting, ...rest } = priced
  const applied = appliedCoupon(priced)
  const [couponId = applied?.id ?? null, replacedCouponId = null] = lasting
  return {
    ...rest,
    renewal: priced.renewal && { ...priced.renewal, at: period.end },
    change: {
      ...changeOf(standing, period),
      kind: 'renewal',
      expiration: isLater ? license.expiration : expiration,
      unusedCredit: 0,
      couponId,
      replacedCouponId,
    },
  }
}

/** The period after the one that is paid; a license that is over begins anew. */
function periodOf({ license, current, active, graceMs }: Standing, months: number, now: UtcTime): Period {
  const { expiration } = license
  const ends = expiration === null ? null : after(expiration, current ? -graceMs : 0)
  const paid = active?.next_payment ?? ends
  const isOver = expiration === null || expiration <= now || paid === null
  if (isOver) return { anchor: now, start: now, end: addMonths(now, months) }
  const isKept =
    current !== undefined && periodAfter(current.period_anchor, current.period_start, months) === paid
  const anchor = isKept ? current.period_anchor : paid
  return { anchor, start: paid, end: periodAfter(anchor, paid, months) }
}

/**
 * A price that is paid again: the amount of the subscription, with all that is off its renewals, or the coupon of the
 * checkout where that takes more off. `lasting`: the coupons that are off the renewals after it.
 */
async function priceAgain(ctx: ReadContext, checkout: CheckoutState, current: SubscriptionRow) {
  const { scope, row } = checkout
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const sold = considered(checkout, current.amount_per_cycle)
  const coupon = await couponOf(ctx, scope, row, { ...sold, now })
  const about = await aboutRenewal(ctx.db, current.id)
  const tax = taxOf(checkout, now)
  const { currency, amount_per_cycle: amountPerCycle, renewals_discount: discount } = current
  const applied = coupon?.applies === true ? coupon.coupon : null
  const off: Discount | null = applied && ((price) => amountOff(applied, { price, currency }))
  const isForRenewals = applied?.has_renewals_discount === true
  const lasting = lastingCoupons(current, about)
  const terms = {
    currency,
    amountPerCycle,
    renewalsDiscount: keptDiscount(discount, current.renewals_discount_type),
    taxRate: tax.rate,
  }
  const later = betterOff(isForRenewals ? off : null, lastingOf(current, about))
  return {
    ...sold,
    amountPerCycle,
    quote: quoteRenewal({ ...terms, coupon: betterOff(off, couponOfRenewals(current, about)) }),
    rules: { price: { rule: 'subscription_price' } },
    tax,
    coupon,
    renewal: { at: now, quote: quoteRenewal({ ...terms, coupon: later }) },
    renewalsDiscount: { discount, type: current.renewals_discount_type },
    needsMethod: false,
    change: null,
    lasting: isForRenewals ? [...new Set([applied.id, ...lasting])] : lasting,
    now,
  }
}
