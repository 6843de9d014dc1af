import { notSold } from '../../catalogue/products/sold-product.ts'
import type { Priced } from './action.ts'
import type { CheckoutState } from './state.ts'

/**
 * 400 `product_not_sold` where an archived product would sell something anew: what somebody has is renewed, and paid for in another way,
 * all the same.
 */
export function requireSale(
  { row: { action }, sold }: Pick<CheckoutState, 'row' | 'sold'>,
  { change }: Pick<Priced, 'change'>,
): void {
  const isSale = action === 'purchase' || action === 'trial' || change?.kind === 'upgrade'
  if (isSale && sold.product?.is_active !== true) throw notSold()
}
