import type { ReadContext } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import type { Scope } from '../http/scope.ts'
import type { CheckoutRow } from '../resources/checkouts/schema.ts'
import { isProvenBuyer } from './checkout-buyer.ts'
import { emailOf } from './checkout-quote.ts'

export type GuessLimits = Pick<Limits, 'buyer'>

/** Whether paying a checkout tells of the past of a buyer, whom nobody has proven to be (DECISIONS 3.14). */
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
  if (!limits || scope.ip === null || row.state !== 'open' || !isGuess(row)) return
  limits.buyer({ ip: scope.ip, email: await emailOf(ctx, scope, row) }, ctx.clock.real())
}

/** Whether a checkout was changed since its guess was counted, so that this would be another one. */
export const isUncounted = (row: CheckoutRow, counted: CheckoutRow): boolean =>
  isGuess(row) && (!isGuess(counted) || counted.email !== row.email)
