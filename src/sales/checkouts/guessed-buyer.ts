import type { ReadContext } from '../../context.ts'
import type { Limits } from '../../http/limits.ts'
import type { Scope } from '../../access/scope.ts'
import type { CheckoutRow } from './schema.ts'
import { asksOfPast } from '../coupons/evaluate.ts'
import { findCoupon } from '../coupons/coupon-rows.ts'
import { couponsWithCode } from '../coupons/service.ts'
import { isProvenBuyer } from './buyer.ts'
import { emailOf } from './quote.ts'

export type GuessLimits = Pick<Limits, 'buyer'>

/**
 * Whether paying a checkout may tell of the past of a buyer, whom nobody has proven to be (`docs/decisions.md` 3.14).
 */
export const isGuess = (row: CheckoutRow): boolean =>
  !isProvenBuyer(row) && (row.trial !== null || row.coupon_code !== null || row.coupon_id !== null)

/**
 * Counts a try to pay what depends on the past of a buyer who has proven nothing, against the caller and against the
 * address of the buyer. 429 when there were too many.
 */
export async function countGuess(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  limits?: GuessLimits,
): Promise<void> {
  if (!limits || scope.ip === null || row.state !== 'open' || !(await tellsOfPast(ctx, scope, row))) return
  limits.buyer({ ip: scope.ip, email: await emailOf(ctx, scope, row) }, ctx.clock.real())
}

/** Any trial asks whether there was another; of coupons those that say so. */
async function tellsOfPast(ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<boolean> {
  const { coupon_code: code, coupon_id: hidden, trial } = row
  if (!isGuess(row) || trial !== null) return isGuess(row)
  if (code !== null) return (await couponsWithCode(ctx, scope, code)).some(asksOfPast)
  const coupon = await findCoupon(ctx.db, scope, hidden ?? 0)
  return coupon !== undefined && asksOfPast(coupon)
}

/** Whether a checkout was changed since its guess was counted, so that this would be another one. */
export const isUncounted = (row: CheckoutRow, counted: CheckoutRow): boolean =>
  isGuess(row) && (!isGuess(counted) || ASKED.some((name) => row[name] !== counted[name]))

const ASKED = ['email', 'coupon_code', 'coupon_id', 'trial'] as const
