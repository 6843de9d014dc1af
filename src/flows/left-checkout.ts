import { transaction, type Context } from '../context.ts'
import type { OwnedCheckout } from '../resources/checkouts/queries.ts'
import type { Kept } from './checkout-action.ts'
import { scopeOfCheckout } from './checkout.ts'
import { settleCheckout } from './settle-checkout.ts'

/**
 * Ends a checkout that nothing is charged for and whose payer went away: it is written as it was priced, or is open
 * again where it is not so any more.
 */
export async function settleLeft(ctx: Context, checkout: OwnedCheckout): Promise<void> {
  if (checkout.kept === null) return
  const kept = JSON.parse(checkout.kept) as Kept
  const scope = scopeOfCheckout({ ip: null, requestId: null }, checkout)
  await transaction(ctx, (tx) => settleCheckout(tx, { checkout, scope, kept, charge: null, outcome: null }))
}
