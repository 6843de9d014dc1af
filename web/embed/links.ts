import type { CheckoutOptions, CheckoutPopupEvents } from '@freemius/checkout'
import { wasOpened, type Overlay } from './overlay-checkout.ts'

type Answers = Partial<CheckoutPopupEvents>

/** Opens what the page's own address asks for: the cart or the license of somebody who followed a link in a mail. */
export function openLinks(Checkout: Overlay, answers: () => Answers | undefined): void {
  const query = new URLSearchParams(location.search)
  const dunning = dunningIn(query)
  if (dunning) void new Checkout(dunning, false).open(answers() ?? {})
  const product = query.get('__fs_plugin_id')
  if (product === null || !query.has('__fs_authorization')) return
  // A shop that sells the product opens it by its own script, with its own functions.
  addEventListener('load', () => {
    if (!wasOpened()) new Checkout({ product_id: product })
  })
}

/** The options of a link to the payment of a license; null: this is none. */
function dunningIn(query: URLSearchParams): CheckoutOptions | null {
  const isDunning = ['1', 'true'].includes(query.get('_fs_dunning') ?? '')
  const product = query.get('_fs_product_id') ?? query.get('_fs_plugin_id')
  if (!isDunning || product === null) return null
  const named = [...query].filter(([name]) => name.startsWith('_fs_') && !/_(plugin|product)_id$/.test(name))
  return { ...Object.fromEntries(named.map(([name, value]) => [name.slice(4), value])), product_id: product }
}
