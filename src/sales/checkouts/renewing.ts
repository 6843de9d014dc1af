import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { findTakenCoupon } from '../coupons/coupon-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { Change, Settling } from './action.ts'
import { moveDiscounts } from './license-queries.ts'
import { subscribedOf, type Known } from './sale.ts'
import { offRenewal, putInPlace } from '../subscriptions/discount-renewals.ts'
import { aboutRenewal } from '../renewals/renewal-rows.ts'
import { startSubscription } from '../subscriptions/start-subscription.ts'

interface Replacing {
  readonly to: Change
  /** The one that was ended for it. */
  readonly before: SubscriptionRow | undefined
}

type Replaced = Replacing & { readonly before: SubscriptionRow }

/**
 * Starts what renews a license from a change on; null where nothing does. What its owner changes for nothing is renewed by
 * the method of payment that there was. A coupon against cancelling that came after the change was priced is off the
 * renewals that follow, as it is off nothing that was paid (`docs/decisions.md` 5.18).
 */
export async function renewFrom(
  tx: TxContext,
  settling: Settling,
  known: Known,
  { to, before }: Replacing,
): Promise<SubscriptionRow | null> {
  const { kept, scope, paid } = settling
  if (kept.renewal === null || to.period === null) return null
  const started = await startSubscription(tx, scope, {
    ...subscribedOf(settling, known),
    ...(paid ? {} : methodOf(before)),
    install_id: before?.install_id ?? null,
    ...couponsOf(to),
    initial_amount: kept.quote.gross,
    renewal_amount: kept.renewal.quote.gross,
    trial_ends: null,
    period_anchor: to.period.anchor,
    period_start: to.period.start,
    next_payment: to.period.end,
  })
  return before ? keepNewCoupon(tx, scope, started, { to, before }) : started
}

const methodOf = (before: SubscriptionRow | undefined) => ({
  payment_method_id: before?.payment_method_id ?? null,
  gateway: before?.gateway ?? null,
  is_elsewhere: before?.is_elsewhere ?? false,
})

async function keepNewCoupon(
  tx: TxContext,
  scope: Scope,
  started: SubscriptionRow,
  { to: { formerCouponId: former }, before: { id, coupon_id: couponId } }: Replaced,
): Promise<SubscriptionRow> {
  if (couponId === null || former === undefined || couponId === former) return started
  const coupon = await findTakenCoupon(tx.db, couponId)
  const { retention_off: off } = await aboutRenewal(tx.db, id)
  if (!coupon || off === null) return started
  await moveDiscounts(tx.db, scope, { from: id, to: started.id, off: offRenewal(started, coupon) })
  return putInPlace(tx, scope, { row: started, about: await aboutRenewal(tx.db, started.id) }, couponId)
}

const couponsOf = ({ couponId: coupon_id, replacedCouponId: replaced_coupon_id = null }: Change) => ({
  coupon_id,
  replaced_coupon_id,
})
