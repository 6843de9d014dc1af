import type { ReadContext } from '../../context.ts'
import { ofAnyUser, type Scope } from '../../access/scope.ts'
import { toDecimal } from '../../lib/money.ts'
import type { CouponRow } from '../coupons/schema.ts'
import { getCoupon } from '../coupons/service.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import { hasRetention } from '../payments/payment-rows.ts'
import { lastingCoupons, untaxedNext } from '../renewals/quote.ts'
import { aboutRenewal, type AboutRenewal } from '../renewals/renewal-rows.ts'
import { offRenewal, takesMoreOff, type Standing } from './discount-renewals.ts'
import { isResumable } from './resume-subscription.ts'
import type { SubscriptionChoices, SubscriptionRow } from './schema.ts'
import { getSubscription } from './service.ts'

/**
 * What is charged next for a subscription, and what its buyer may choose besides: of one that goes on the coupon against
 * cancelling, with what the next payment comes to by it; of one that is cancelled to go on. Amounts in units of its
 * currency, without tax. 404 when the owner has no such one.
 */
export async function choicesOf(ctx: ReadContext, scope: Scope, id: number): Promise<SubscriptionChoices> {
  const row = await getSubscription(ctx, scope, id)
  const isOver = row.canceled_at !== null
  return {
    next_amount: isOver ? null : await nextAmount(ctx, row),
    resumes_at: isOver && (await isResumable(ctx, scope, row)) ? row.resumes_at : null,
    offer: isOver ? null : await offerOf(ctx, scope, row),
  }
}

/** Null: it is paid where it was brought from, and by no method here. */
async function nextAmount(ctx: ReadContext, row: SubscriptionRow): Promise<number | null> {
  const about = await aboutRenewal(ctx.db, row.id)
  const isCharged = row.due_at !== null && !(row.is_elsewhere && about.token === null)
  return isCharged ? toDecimal(untaxedNext(row, about)) : null
}

/** Null: the product has no such coupon, the license has had it, or it takes nothing more off. */
async function offerOf(
  ctx: ReadContext,
  scope: Scope,
  row: SubscriptionRow,
): Promise<SubscriptionChoices['offer']> {
  const [special] = await listSpecial(ctx.db, ofAnyUser(scope), 'subscription_cancellation')
  if (!special || (row.license_id !== null && (await hasRetention(ctx.db, row.license_id)))) return null
  const coupon = await getCoupon(ctx, ofAnyUser(scope), special.coupon_id)
  const before = { row, about: await aboutRenewal(ctx.db, row.id) }
  const after = withCoupon(before, coupon)
  if (!takesMoreOff(before, after)) return null
  return {
    coupon_id: String(coupon.id),
    amount: toDecimal(untaxedNext(row, before.about)),
    offered_amount: toDecimal(untaxedNext(after.row, after.about)),
    is_lasting: coupon.has_renewals_discount,
    currency: row.currency,
  }
}

/** What `discountRenewals` would make of a subscription; nothing is written. */
function withCoupon({ row, about }: Standing, coupon: CouponRow): Standing {
  const { id, has_renewals_discount, discount, discount_type, discount_eur, discount_gbp } = coupon
  const [best = null] = [...lastingCoupons(row, about), row.coupon_id].filter((one) => one !== id)
  const own = { has_renewals_discount, discount, discount_type, discount_eur, discount_gbp }
  const kept = best !== null && best === row.coupon_id ? replacedBy(about) : {}
  return {
    row: { ...row, coupon_id: id, replaced_coupon_id: best },
    about: { ...about, ...kept, ...own, retention_off: offRenewal(row, coupon) },
  }
}

const replacedBy = (about: AboutRenewal): Partial<AboutRenewal> => ({
  replaced_has_renewals_discount: about.has_renewals_discount,
  replaced_discount: about.discount,
  replaced_discount_type: about.discount_type,
  replaced_discount_eur: about.discount_eur,
  replaced_discount_gbp: about.discount_gbp,
})
