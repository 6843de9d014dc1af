import { transaction, type Context } from '../../context.ts'
import { hasCome } from '../../db/has-come.ts'
import type { Scope } from '../../access/scope.ts'
import { ApiError } from '../../lib/errors.ts'
import { fromUtcTime } from '../../lib/time.ts'
import { findPayingElsewhere, type OwnedCheckout } from './queries.ts'
import { findCharge } from '../charges/charge-rows.ts'
import { detailsOf } from '../charges/ask-for-charge.ts'
import { giveUpWaiting } from '../charges/ask-gateway.ts'
import { AGAIN_MS, purchaseGuard } from './purchase.ts'
import { scopeOfCheckout } from './checkout.ts'
import { settlePurchase } from '../charges/settle-after-all.ts'

/** Whether the same buyer has the same under way in another checkout, or has just bought it. */
export const isTwice = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'already_purchased'

/**
 * Ends the confirmation that the same buyer was led to for another checkout of the same, a minute ago or longer, so that
 * this one can be paid, also by who is at it still: the gateway says which of both is paid. What the bank has in work
 * stays. False: nothing was ended. 503 as `reached`.
 */
export async function endLeftElsewhere(ctx: Context, from: Scope, checkout: OwnedCheckout): Promise<boolean> {
  const other = await findPayingElsewhere(ctx.db, purchaseGuard(from, checkout))
  if (!other || other.charge_id === null) return false
  const scope = scopeOfCheckout(from, other)
  const charge = await findCharge(ctx.db, scope, other.charge_id)
  if (charge?.state !== 'pending' || charge.external_id === null) return false
  // Whoever asks how it stands, as a page that waits does, keeps it from nobody for longer.
  const since = fromUtcTime(charge.updated ?? charge.created)
  if (!hasCome(since + AGAIN_MS, ctx.clock.real(), AGAIN_MS)) return false
  const outcome = await giveUpWaiting(ctx, charge)
  if (outcome.outcome === 'pending') return false
  const asked = { checkout: other, scope, kept: detailsOf(charge).priced, charge, outcome }
  await transaction(ctx, (tx) => settlePurchase(tx, asked))
  return outcome.outcome === 'declined'
}
