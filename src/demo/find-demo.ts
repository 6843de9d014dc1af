import { findProductsOf } from '../catalogue/sellers/seller-rows.ts'
import type { ReadContext } from '../context.ts'
import { fold } from '../lib/fold.ts'
import type { Demo } from './part.ts'

export const DEMO_EMAIL = 'demo@example.com'

/** Null where the database holds none. */
export async function findDemo(ctx: ReadContext): Promise<Demo | null> {
  const [first, second] = await findProductsOf(ctx.db, fold(DEMO_EMAIL))
  if (!first || !second) return null
  const { developer_id: developerId, store_id: storeId, product_id: productId } = first
  return { developerId, storeId, productId, otherProductId: second.product_id }
}
