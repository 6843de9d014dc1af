import type { Context } from '../context.ts'
import { findProductOwner } from '../access/credential-rows.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { Failure } from './failure.ts'

/** Of a product; fails when there is none. */
export async function scopeOf(ctx: Context, productId: number): Promise<Scope> {
  const [product] = await findProductOwner(ctx.db, { id: productId })
  if (!product) throw new Failure('not_found', `There is no product ${productId}.`)
  return systemScope({ developerId: product.developer_id, productId })
}
