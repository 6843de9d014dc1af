import type { ReadContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { findStatus } from './product-rows.ts'

/**
 * 400 `product_not_sold` for an archived product (setting `is_active`): it sells and begins nothing, while what was
 * sold goes on (`docs/settings.md`).
 */
export async function requireSold({ db }: Pick<ReadContext, 'db'>, scope: Scope): Promise<void> {
  const [product] = await findStatus(db, wholeProduct(scope), {})
  if (product?.is_active !== true) throw notSold()
}

/** 400 for an archived product. */
export const notSold = () => invalid('product_not_sold', 'This product is not sold any more.')
