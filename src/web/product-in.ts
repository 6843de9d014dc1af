import type { Context } from '../context.ts'
import type { Asked } from '../http/other-replies.ts'
import { ApiError } from '../lib/errors.ts'
import { checkoutProduct, pageState } from '../sales/pricing-table/checkout-product.ts'
import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import type { PageState, Shown } from './pages.ts'

/** The id of the product in a query or a path; null: there is none. */
function productIn({ query, path }: Pick<Asked, 'query' | 'path'>): number | null {
  const named =
    query['product_id'] ?? query['plugin_id'] ?? /\/(?:product|plugin|app)\/(\d+)(?:\/|$)/.exec(path)?.[1]
  return typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : null
}

type ProductState = Awaited<ReturnType<typeof pageState>>

/** The state of the product that an address names; null: there is no such product, which the page says. */
async function productStateIn(
  ctx: Context,
  asked: Pick<Asked, 'query' | 'path'>,
): Promise<ProductState | null> {
  const productId = productIn(asked)
  if (productId === null) return null
  try {
    return await pageState(ctx, productId, { environment: (asked.query['sandbox'] ?? '') === '' ? 0 : 1 })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/**
 * The state of a page about the product that its address names; `show` is given null where there is none, and the forms
 * of gateways that may be offered there.
 */
export async function ofProduct(
  ctx: Context,
  asked: Asked,
  show: (product: CheckoutProduct | null, forms: ProductState['known']['forms']) => Shown,
): Promise<PageState> {
  const state = await productStateIn(ctx, asked)
  return {
    name: state?.tag ?? 'none',
    show: async () => show(state && (await checkoutProduct(ctx, state.known)), state?.known.forms ?? []),
  }
}
