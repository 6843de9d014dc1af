import type { TxContext } from '../../context.ts'
import { ofAnyUser, type Scope } from '../../access/scope.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { hold } from '../../db/hold.ts'
import { invalid } from '../../lib/errors.ts'
import { portion } from '../../lib/portions.ts'
import { keptDiscount, quoteRenewal, type Discount } from '../quotes/quote.ts'
import { amountOff } from '../coupons/evaluate.ts'
import type { CouponRow } from '../coupons/schema.ts'
import { getCoupon } from '../coupons/service.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import { recordEvent } from '../../events/log/record.ts'
import { discountsOf, insertDiscounts } from '../payments/payment-rows.ts'
import { updateSubscriptionRow } from './subscription-rows.ts'
import type { SubscriptionRow } from './schema.ts'
import { getSubscription } from './service.ts'
import { aboutRenewal, type AboutRenewal } from '../renewals/renewal-rows.ts'
import { couponOf, lastingCoupons, lastingOf, untaxedNext, untaxedRenewal } from '../renewals/quote.ts'

/** Hundredths of a percent of a renewal that the wallet gateway lets one coupon take off. */
const PAYPAL_CAP = 1_600

/**
 * Takes the coupon against cancelling off the renewals of a subscription: off all of them when it is for renewals,
 * else off the next one (`docs/interface.md` 9.3). The coupon that it replaces stays beside it: the better one
 * counts (`docs/decisions.md` 5.18). A license has it once, however many ask at once. 404 without such a subscription;
 * 400 `coupon_not_applicable` for another coupon and where it takes nothing more off, `coupon_already_used`,
 * `subscription_cancelled`. Without a coupon nothing changes.
 */
export async function discountRenewals(
  ctx: TxContext,
  scope: Scope,
  id: number,
  couponId: number | undefined,
): Promise<{ subscription: SubscriptionRow; hasDiscount: boolean }> {
  if (couponId === undefined) return shown(ctx, await getSubscription(ctx, scope, id))
  const held = await hold(ctx.db, 'subscriptions', scope, id)
  if (!held) return shown(ctx, await getSubscription(ctx, scope, id))
  if (held.canceled_at !== null) throw invalid('subscription_cancelled', 'This subscription is cancelled.')
  const coupon = await specialCoupon(ctx, ofAnyUser(scope), couponId)
  const before = await aboutRenewal(ctx.db, id)
  await note(ctx, held, { couponId, off: offRenewal(held, coupon) })
  const after = await putInPlace(ctx, scope, { row: held, about: before }, couponId)
  const isLess = takesMoreOff(
    { row: held, about: before },
    { row: after, about: await aboutRenewal(ctx.db, id) },
  )
  if (!isLess) throw invalid('coupon_not_applicable', 'This coupon takes nothing more off the renewals.')
  await recordEvent(ctx, scope, {
    type: 'subscription.renewals.discounted',
    environment: held.environment,
    userId: held.user_id,
    data: { subscription_id: String(id), coupon_id: String(couponId) },
  })
  return { subscription: after, hasDiscount: true }
}

async function shown({ db }: TxContext, subscription: SubscriptionRow) {
  const discounts = await discountsOf(db, 'subscription', [subscription.id])
  return { subscription, hasDiscount: discounts.some(({ type }) => type === 'subscription_cancellation') }
}

async function specialCoupon(ctx: TxContext, scope: Scope, couponId: number): Promise<CouponRow> {
  const special = await listSpecial(ctx.db, scope, 'subscription_cancellation')
  if (special.some(({ coupon_id: id }) => id === couponId)) return getCoupon(ctx, scope, couponId)
  throw invalid('coupon_not_applicable', 'This is not the special coupon against cancelling.')
}

/** Puts a coupon in the place of those of a subscription; of the others that were there the best one is kept. */
export async function putInPlace(
  ctx: TxContext,
  scope: Scope,
  { row: held, about }: Standing,
  couponId: number,
): Promise<SubscriptionRow> {
  const { id, coupon_id: former } = held
  const [best = null] = [...lastingCoupons(held, about), former].filter((one) => one !== couponId)
  const coupons = { coupon_id: couponId, replaced_coupon_id: best }
  const row = await updateSubscriptionRow(ctx.db, scope, id, coupons)
  const renewal_amount = untaxedRenewal(row, couponOf(row, await aboutRenewal(ctx.db, id)))
  const updated = ctx.clock.now()
  return updateSubscriptionRow(ctx.db, scope, id, { renewal_amount, updated })
}

/** A subscription with what decides what its renewals come to. */
export interface Standing {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
}

/** Whether what is due next comes to less, or where the coupon is for all renewals one of these. */
export function takesMoreOff(before: Standing, after: Standing): boolean {
  if (untaxedNext(after.row, after.about) < untaxedNext(before.row, before.about)) return true
  const lasting = ({ row, about }: Standing) => untaxedRenewal(row, lastingOf(row, about))
  return lasting(after) < lasting(before)
}

/** What the coupon alone takes off a renewal; minor units without tax. */
export function offRenewal(subscription: SubscriptionRow, coupon: CouponRow): number {
  const { currency, amount_per_cycle: amountPerCycle } = subscription
  const quote = quoteRenewal({
    currency,
    amountPerCycle,
    renewalsDiscount: keptDiscount(subscription.renewals_discount, subscription.renewals_discount_type),
    coupon: capped(subscription, coupon),
    taxRate: 0,
  })
  const off = quote.lines.find(({ kind }) => kind === 'coupon')?.amount ?? 0
  return 0 - off
}

function capped({ gateway, currency }: SubscriptionRow, coupon: CouponRow): Discount {
  const off: Discount = (price) => amountOff(coupon, { price, currency })
  const isCapped = gateway?.startsWith('paypal') && !coupon.has_renewals_discount
  return isCapped ? (price) => Math.min(off(price), portion(price, PAYPAL_CAP, 10_000)) : off
}

async function note(
  ctx: TxContext,
  { id, product_id, license_id }: SubscriptionRow,
  { couponId, off }: { readonly couponId: number; readonly off: number },
): Promise<void> {
  try {
    await insertDiscounts(ctx.db, [
      {
        product_id,
        entity_type: 'subscription',
        entity_id: id,
        type: 'subscription_cancellation',
        discount: off,
        coupon_id: couponId,
        license_id,
        created: ctx.clock.now(),
        updated: null,
      },
    ])
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid('coupon_already_used', 'The license has had its coupon against cancelling.')
  }
}
