import type { Context } from '../context.ts'
import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import type { Policy } from './csp.ts'
import { prefixOf } from './html.ts'
import { webPage } from './pages.ts'
import { ofProduct } from './product-in.ts'

/**
 * The hosted checkout: a page, in a frame over a shop, or in one of a WordPress dashboard. Any page may hold it unless
 * the seller says whose, as nothing signs anybody in here.
 */
export const checkoutPage = webPage({
  id: 'keywright/checkout-page',
  page: 'checkout',
  paths: ['checkout', 'product', 'plugin', 'app', 'mode'].map((name) => `/${name}/*`),
  headers: { 'permissions-policy': 'payment=*' },
  find: (ctx, asked) =>
    ofProduct(ctx, asked, (product) => ({
      title: product?.title ?? 'Checkout',
      data: { prefix: prefixOf(ctx), product },
      policy: policyFor(ctx, product),
    })),
})

function policyFor(ctx: Context, product: CheckoutProduct | null): Policy {
  const { gateway, publishable_key: key = null } = product?.payment ?? {}
  // The form of a gateway alone loads what is not ours (`docs/security-checks.md` S36).
  const loads = key === null ? undefined : ctx.gateways.find(({ code }) => code === gateway)?.form?.loads
  return { ...loads, images: ['https:'], ancestors: ancestorsFor(product) }
}

/** Whose pages may hold a page of a product: anybody's, unless its seller says whose. */
export function ancestorsFor(product: Pick<CheckoutProduct, 'embed_hosts'> | null): readonly string[] {
  const hosts = product?.embed_hosts ?? []
  return hosts.length === 0 ? ['*'] : ["'self'", ...hosts]
}
