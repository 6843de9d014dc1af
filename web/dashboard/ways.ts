import type { SearchResult } from '../../src/sales/search/schema.ts'
import type { Way } from '../ui/way.ts'

export type { Way }

type Kind = SearchResult['kind']

/** The page of each kind of thing, and the name that its id has in the address. */
const PAGES = {
  license: ['licenses', 'license'],
  user: ['customers', 'customer'],
  payment: ['payments', 'payment'],
  subscription: ['subscriptions', 'subscription'],
  event: ['events', 'event'],
  install: ['installs', 'install'],
  cart: ['carts', 'cart'],
  coupon: ['coupons', 'coupon'],
  webhook: ['webhooks', 'webhook'],
  trial: ['trials', 'trial'],
  review: ['reviews', 'review'],
  deployment: ['versions', 'version'],
} as const satisfies Partial<Record<Kind, readonly [page: string, name: string]>>

export type Paged = keyof typeof PAGES
const isPaged = (kind: Kind): kind is Paged => Object.hasOwn(PAGES, kind)

interface Product {
  readonly account: string
  readonly product: string
}

/** The page of one thing of a product. */
export function wayTo(kind: Paged, id: string, of: Product): Way {
  const [page, name] = PAGES[kind]
  return { to: `/$account/$product/${page}/$${name}`, params: { ...of, [name]: id } }
}

/** The plans and prices of a product, which is its own page too. */
export const wayToPlans = (of: Product): Way => ({ to: '/$account/$product/plans', params: { ...of } })

/** What a request did, in the audit log. */
export const wayToRequest = (account: string, id: string): Way => ({
  to: '/$account/audit',
  params: { account },
  search: { request_id: id },
})

/** One store of an account. */
export const wayToStore = (account: string, store: string): Way => ({
  to: '/$account/stores/$store',
  params: { account, store },
})

/** One import of an account. */
export const wayToImport = (account: string, id: string): Way => ({
  to: '/$account/imports/$import',
  params: { account, import: id },
})

/** Where what was found is shown; null: it has no page. */
export function wayOf(found: SearchResult, account: string): Way | null {
  const { kind, id, product_id: product, title } = found
  if (kind === 'request') return wayToRequest(account, title)
  if (kind === 'product') return wayToPlans({ account, product: id })
  if (kind === 'store') return wayToStore(account, id)
  if (product === null) return null
  if (kind === 'plan' || kind === 'pricing') return wayToPlans({ account, product })
  return isPaged(kind) ? wayTo(kind, id, { account, product }) : null
}
