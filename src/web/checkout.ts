import type { GatewayForm } from '../gateways/form.ts'
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
    ofProduct(ctx, asked, (product, forms) => ({
      title: product?.title ?? 'Checkout',
      data: { prefix: prefixOf(ctx), product },
      policy: policyFor(product, forms),
    })),
})

function policyFor(product: CheckoutProduct | null, forms: readonly GatewayForm[]): Policy {
  // The forms of gateways alone load what is not ours (`docs/security-checks.md` S36).
  const loads = forms.flatMap(({ publishableKey, loads: hosts }) =>
    publishableKey === null ? [] : (hosts ?? []),
  )
  return {
    scripts: loads.flatMap(({ scripts }) => scripts),
    styles: loads.flatMap(({ styles }) => styles),
    connects: loads.flatMap(({ connects }) => connects),
    frames: loads.flatMap(({ frames }) => frames),
    images: ['https:'],
    ancestors: ancestorsFor(product),
  }
}

/** Whose pages may hold a page of a product: anybody's, unless its seller says whose. */
export function ancestorsFor(product: Pick<CheckoutProduct, 'embed_hosts'> | null): readonly string[] {
  const hosts = product?.embed_hosts ?? []
  return hosts.length === 0 ? ['*'] : ["'self'", ...hosts]
}
