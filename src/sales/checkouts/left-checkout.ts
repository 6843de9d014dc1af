import { transaction, type Context } from '../../context.ts'
import type { OwnedCheckout } from './queries.ts'
import type { Asked, Kept } from './action.ts'
import { scopeOfCheckout } from './checkout.ts'
import { letGo, settleCheckout } from './settle-checkout.ts'

/**
 * Ends a checkout that nothing is charged for and whose payer went away: it is written as it was priced, or is open
 * again where it is not so any more.
 */
export async function settleLeft(ctx: Context, checkout: OwnedCheckout): Promise<void> {
  const asked = askedOf(checkout)
  if (asked) await transaction(ctx, (tx) => settleCheckout(tx, asked))
}

/** Gives it up instead: what was kept for it is let go. */
export async function letGoLeft(ctx: Context, checkout: OwnedCheckout): Promise<void> {
  const asked = askedOf(checkout)
  if (asked) await transaction(ctx, (tx) => letGo(tx, asked))
}

function askedOf(checkout: OwnedCheckout): Asked | null {
  if (checkout.kept === null) return null
  const kept = JSON.parse(checkout.kept) as Kept
  const scope = scopeOfCheckout({ ip: null, requestId: null }, checkout)
  return { checkout, scope, kept, charge: null, outcome: null }
}
