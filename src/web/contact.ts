import type { CheckoutProduct } from '../sales/pricing-table/checkout-product-schema.ts'
import { ancestorsFor } from './checkout.ts'
import { prefixOf } from './html.ts'
import { webPage } from './pages.ts'
import { ofProduct } from './product-in.ts'

/**
 * Where users of a product write to its support: a page, or in a frame of the WordPress dashboard of their site. What
 * they write goes to `contact.json`, as anybody could send it.
 */
export const contactPage = webPage({
  id: 'keywright/contact-page',
  page: 'contact',
  paths: ['/contact', '/contact/'],
  find: (ctx, asked) =>
    ofProduct(ctx, asked, (product) => ({
      title: product?.title ?? 'Contact',
      data: { prefix: prefixOf(ctx), product: product && shownOf(product) },
      policy: { images: ['https:'], ancestors: ancestorsFor(product) },
    })),
})

/** What the page shows of a product. */
const shownOf = ({ id, public_key, title, icon, logo, accent }: CheckoutProduct) => ({
  id,
  public_key,
  title,
  icon,
  logo,
  accent,
})
