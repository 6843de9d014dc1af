import type { SearchResult } from '../../../src/sales/search/schema.ts'
import type { Way } from '../lists/Rows.tsx'

/** The page of each kind of thing, and the name that its id has in the address. */
const PAGES: Partial<Record<SearchResult['kind'], readonly [page: string, name?: string]>> = {
  license: ['licenses/$license', 'license'],
  user: ['customers/$customer', 'customer'],
  payment: ['payments/$payment', 'payment'],
  subscription: ['subscriptions/$subscription', 'subscription'],
  event: ['events/$event', 'event'],
  install: ['installs/$install', 'install'],
  cart: ['carts/$cart', 'cart'],
  coupon: ['coupons/$coupon', 'coupon'],
  webhook: ['webhooks/$webhook', 'webhook'],
  plan: ['plans'],
  pricing: ['plans'],
}

/** Where what was found is shown; null: it has no page. */
export function wayOf({ kind, id, product_id: product }: SearchResult, account: string): Way | null {
  if (kind === 'product') return { to: '/$account/$product/plans', params: { account, product: id } }
  const [page, name] = PAGES[kind] ?? []
  if (page === undefined || product === null) return null
  return {
    to: `/$account/$product/${page}`,
    params: { account, product, ...(name !== undefined && { [name]: id }) },
  }
}
