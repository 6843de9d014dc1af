import type { ScopeKind } from '../../src/http/scope.ts'

/** Every kind of credential a caller can bring. */
export const CREDENTIALS = [
  'none',
  'bearer',
  'bearer of another product',
  'FS product',
  'FSP product',
  'FS developer',
  'FS another developer',
  'FS store',
  'FS another store',
  'FS user',
  'FS user of another product',
  'FS user of another developer',
  'FSP user',
  'FSA developer',
  'FSA expired',
  'FSA user',
  'garbage',
] as const
export type Credential = (typeof CREDENTIALS)[number]

/** Who may, by scope. `nowhere`: the operation has no address there, so nobody learns more than 401 or 404. */
type Row = Readonly<Record<ScopeKind, readonly Credential[] | 'nowhere'>>

const token = ['bearer', 'FS product'] as const
const account = ['FS developer', 'FSA developer'] as const
const store = ['FS store'] as const
const person = ['FS user', 'FSA user'] as const
const nobody = [] as const

/** Reads and writes of a seller: with the product's token or keys, the account's, or the store's. */
const SELLER = {
  product: token,
  developer: account,
  store,
  user: nobody,
  install: nobody,
  account: 'nowhere',
  store_account: 'nowhere',
  root: 'nowhere',
} as const satisfies Row

/** The same, and users their own. */
const SELLER_AND_USER = { ...SELLER, user: person } as const satisfies Row

/** The same, and whoever has the public key of the product. */
const PUBLIC = { ...SELLER, product: [...token, 'FSP product'] } as const satisfies Row
const PUBLIC_AND_USER = { ...PUBLIC, user: person } as const satisfies Row

/** Writes of the account alone. */
const DEVELOPER = { ...SELLER, product: nobody, store: nobody } as const satisfies Row

const ELSEWHERE = {
  product: 'nowhere',
  developer: 'nowhere',
  store: 'nowhere',
  user: 'nowhere',
  install: 'nowhere',
  account: 'nowhere',
  store_account: 'nowhere',
  root: 'nowhere',
} as const satisfies Row

/** CHECKS S03, DECISIONS 1.10: which credential may call which operation in which scope; every other is 401. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'keywright/developer-token': { ...ELSEWHERE, account },
  'keywright/ping': { ...ELSEWHERE, root: ['none'] },
  'events/list': SELLER,
  'events/retrieve': SELLER,
  'users/list-events': SELLER,
  'plans/list': PUBLIC_AND_USER,
  'plans/retrieve': PUBLIC_AND_USER,
  'plans/create': DEVELOPER,
  'plans/update': DEVELOPER,
  'plans/update-by-post': DEVELOPER,
  'plans/delete': DEVELOPER,
  'plans/list-currencies': PUBLIC,
  'plans/list-s-pricing': PUBLIC,
  'plans/retrieve-pricing': PUBLIC,
  'plans/create-pricing': DEVELOPER,
  'plans/update-pricing': DEVELOPER,
  'plans/delete-s-pricing': DEVELOPER,
  'plans/clone-pricing-other-currency': SELLER,
  'plans/list-features': PUBLIC,
  'products/list-features': PUBLIC,
  'products/retrieve-feature': PUBLIC,
  'products/update-feature': SELLER,
  'products/delete-feature': SELLER,
  'keywright/create-feature': DEVELOPER,
  'keywright/set-feature-value': DEVELOPER,
  'keywright/remove-feature-value': DEVELOPER,
  'products/retrieve-pricing-table-data': PUBLIC,
  'keywright/list-addon-pricing': PUBLIC,
  'keywright/retrieve-addon-pricing': PUBLIC,
  'products/list-addons': PUBLIC,
  'addons/list-plans': PUBLIC,
  'addons/list-plans-features': PUBLIC,
  'addons/list-pricings': PUBLIC,
  'users/list': SELLER,
  'users/create': SELLER,
  'users/retrieve': SELLER_AND_USER,
  'users/update': SELLER_AND_USER,
  'users/retrieve-billing': SELLER_AND_USER,
  'users/update-or-create-billing': SELLER_AND_USER,
}
