import type { Scope } from '../../access/scope.ts'
import { requireSold } from '../../catalogue/products/sold-product.ts'
import type { ReadContext } from '../../context.ts'
import type { Priced } from './action.ts'
import type { CheckoutRow } from './schema.ts'

/**
 * 400 `product_not_sold` where an archived product would sell something anew: what somebody has is renewed, and paid for in another way,
 * all the same.
 */
export async function requireSale(
  ctx: Pick<ReadContext, 'db'>,
  scope: Scope,
  { action }: Pick<CheckoutRow, 'action'>,
  { change }: Pick<Priced, 'change'>,
): Promise<void> {
  if (action === 'purchase' || action === 'trial' || change?.kind === 'upgrade') await requireSold(ctx, scope)
}
