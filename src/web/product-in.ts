import type { Context } from '../context.ts'
import type { Asked } from '../http/other-replies.ts'
import { ApiError } from '../lib/errors.ts'
import { pageState } from '../sales/pricing-table/checkout-product.ts'

/** The id of the product in a query or a path; null: there is none. */
function productIn({ query, path }: Pick<Asked, 'query' | 'path'>): number | null {
  const named =
    query['product_id'] ?? query['plugin_id'] ?? /\/(?:product|plugin|app)\/(\d+)(?:\/|$)/.exec(path)?.[1]
  return typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : null
}

type ProductState = Awaited<ReturnType<typeof pageState>>

/** The state of the product that an address names; null: there is no such product, which the page says. */
export async function productStateIn(
  ctx: Context,
  asked: Pick<Asked, 'query' | 'path'>,
): Promise<ProductState | null> {
  const productId = productIn(asked)
  if (productId === null) return null
  try {
    return await pageState(ctx, productId, { environment: asked.query['sandbox'] === undefined ? 0 : 1 })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
