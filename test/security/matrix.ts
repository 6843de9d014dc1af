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
  'FS install',
  'FS another install',
  'FSP install',
  'install token',
  'token of another install',
  'FSA developer',
  'FSA expired',
  'FSA user',
  'session',
  'session of another developer',
  'session that ended',
  'garbage',
] as const
export type Credential = (typeof CREDENTIALS)[number]

/** Who may, by scope. `nowhere`: the operation has no address there, so nobody learns more than 401 or 404. */
type Row = Readonly<Record<ScopeKind, readonly Credential[] | 'nowhere'>>

const token = ['bearer', 'FS product'] as const
const account = ['FS developer', 'FSA developer', 'session'] as const
const store = ['FS store'] as const
const person = ['FS user', 'FSA user'] as const
/** What an install was handed out. */
const client = ['FS install', 'install token'] as const
const nobody = [] as const
/** A browser brings its session everywhere; where nobody need be known it is not looked at. */
const anybody = ['none', 'session', 'session of another developer', 'session that ended'] as const

/** Every credential of a scheme that signs, or looks like one. */
const signing = CREDENTIALS.filter((one) => one.startsWith('FS') || one === 'garbage')

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

/** The same with the install itself, whose token opens its paths under the product too. */
const SELLER_AND_INSTALL = {
  ...SELLER,
  product: [...token, 'install token'],
  install: client,
} as const satisfies Row
const EVERYBODY = { ...SELLER_AND_INSTALL, user: person } as const satisfies Row

/** What users do with their own alone. */
const USER = {
  ...SELLER,
  product: nobody,
  developer: nobody,
  store: nobody,
  user: person,
} as const satisfies Row

/** The same as a seller, and whoever has the public key of the product. */
const PUBLIC = { ...SELLER, product: [...token, 'FSP product'] } as const satisfies Row
const PUBLIC_AND_USER = { ...PUBLIC, user: person } as const satisfies Row

/** Whoever knows a license's key, on the product's own path; elsewhere as a seller. */
const KEY_HOLDER = { ...PUBLIC, product: [...anybody, ...token, 'FSP product'] } as const satisfies Row

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

/** What concerns the account itself. */
const ACCOUNT = { ...ELSEWHERE, account } as const satisfies Row

/** What concerns a store: its developer, and the store itself. */
const STORE = { ...ACCOUNT, store_account: store } as const satisfies Row

/** What concerns a login of one's own. */
const LOGGED_IN = { ...ELSEWHERE, account: ['session'] } as const satisfies Row

/** CHECKS S03, DECISIONS 1.10: which credential may call which operation in which scope; every other is 401. */
export const MATRIX: Readonly<Record<string, Row>> = {
  'keywright/developer-token': { ...ELSEWHERE, account: ['FS developer'] },
  'keywright/list-members': ACCOUNT,
  'keywright/add-member': ACCOUNT,
  'keywright/update-member': ACCOUNT,
  'keywright/remove-member': ACCOUNT,
  'keywright/list-bank-accounts': ACCOUNT,
  'keywright/create-bank-account': ACCOUNT,
  'developers/retrieve-bank-account': ACCOUNT,
  'keywright/update-bank-account': ACCOUNT,
  'keywright/list-api-tokens': DEVELOPER,
  'keywright/create-api-token': DEVELOPER,
  'keywright/revoke-api-token': DEVELOPER,
  'developers/log-in': { ...ELSEWHERE, account: [...account, 'none'] },
  'keywright/log-in-user': { ...ELSEWHERE, root: ['none'] },
  'keywright/log-out': LOGGED_IN,
  'keywright/retrieve-session': LOGGED_IN,
  'keywright/change-password': LOGGED_IN,
  'keywright/set-up-two-factor': LOGGED_IN,
  'keywright/confirm-two-factor': LOGGED_IN,
  'keywright/remove-two-factor': LOGGED_IN,
  'keywright/ping': { ...ELSEWHERE, root: [...anybody, ...signing] },
  'reviews/list': PUBLIC,
  'reviews/retrieve-summary': PUBLIC,
  'reviews/retrieve': SELLER,
  'reviews/create': SELLER,
  'reviews/update': SELLER,
  'reviews/delete': SELLER,
  'coupons/list': SELLER,
  'coupons/create': SELLER,
  'coupons/retrieve': SELLER,
  'coupons/update': SELLER,
  'coupons/delete': SELLER,
  'coupons/retrieve-note': SELLER,
  'coupons/create-note': SELLER,
  'coupons/update-note': SELLER,
  'coupons/delete-note': SELLER,
  'coupons/retrieve-special': SELLER,
  'coupons/create-special': SELLER,
  'coupons/delete-special': SELLER,
  'keywright/coupons-of-store-list': { ...ELSEWHERE, account },
  'keywright/coupons-of-store-create': { ...ELSEWHERE, account },
  'keywright/coupons-of-store-retrieve': { ...ELSEWHERE, account },
  'keywright/coupons-of-store-update': { ...ELSEWHERE, account },
  'keywright/coupons-of-store-delete': { ...ELSEWHERE, account },
  'keywright/coupons-of-own-store-list': { ...ELSEWHERE, store_account: store },
  'keywright/coupons-of-own-store-create': { ...ELSEWHERE, store_account: store },
  'keywright/coupons-of-own-store-retrieve': { ...ELSEWHERE, store_account: store },
  'keywright/coupons-of-own-store-update': { ...ELSEWHERE, store_account: store },
  'keywright/coupons-of-own-store-delete': { ...ELSEWHERE, store_account: store },
  'products/retrieve': SELLER,
  'products/update': SELLER,
  'products/check-status': PUBLIC,
  'products/gdpr-compliance-check': PUBLIC,
  'products/get-info': PUBLIC,
  'keywright/update-info': DEVELOPER,
  'keywright/list-bundle-members': DEVELOPER,
  'keywright/update-bundle-members': DEVELOPER,
  'keywright/list-products': ACCOUNT,
  'keywright/create-product': ACCOUNT,
  'keywright/list-store-products': STORE,
  'keywright/create-store-product': STORE,
  'keywright/list-settings': SELLER,
  'keywright/write-setting': SELLER,
  'products/retrieve-setting': SELLER,
  'products/update-setting': SELLER,
  'products/delete-setting': SELLER,
  'products/list-email-addresses': SELLER,
  'products/update-email-addressses': DEVELOPER,
  'products/delete-email-addresses': SELLER,
  'keywright/list-stores': ACCOUNT,
  'keywright/retrieve-store': STORE,
  'keywright/update-store': STORE,
  'keywright/retrieve-store-addresses': STORE,
  'keywright/update-store-addresses': STORE,
  'keywright/delete-store-addresses': STORE,
  'keywright/create-license-file': { ...SELLER_AND_USER, install: client },
  'keywright/list-license-keys': PUBLIC,
  'keywright/rotate-license-keys': DEVELOPER,
  'installations/list-installs': SELLER_AND_USER,
  'keywright/create-user-installs': SELLER_AND_USER,
  'keywright/update-user-installs': SELLER_AND_USER,
  'keywright/delete-user-installs': SELLER_AND_USER,
  'keywright/update-user-permissions': SELLER_AND_USER,
  'installations/retrieve-installs-count': SELLER,
  'users/list-installs': SELLER,
  'installations/retrieve-install': EVERYBODY,
  'installations/update-install': EVERYBODY,
  'installations/delete-install': EVERYBODY,
  'installations/downgrade-default-plan': EVERYBODY,
  'installations/list-events': EVERYBODY,
  'installations/list-plans': EVERYBODY,
  'installations/retrieve-plan': EVERYBODY,
  'installations/list-plans-features-for-addon': EVERYBODY,
  'installations/list-market-items': EVERYBODY,
  'installations/create-clone': EVERYBODY,
  'installations/resolve-clone': EVERYBODY,
  'installations/update-permissions': EVERYBODY,
  'installations/retrieve-uninstall-details': EVERYBODY,
  'keywright/record-install-event': EVERYBODY,
  'keywright/create-addon-install': EVERYBODY,
  'installations/send-verification-email': SELLER_AND_INSTALL,
  'keywright/ask-for-owner': SELLER_AND_INSTALL,
  'installations/change-ownership': SELLER_AND_INSTALL,
  'installations/uninstall-from-anonymous-site': PUBLIC,
  'products/skip-account-connection': PUBLIC,
  'developers/add-team-member': DEVELOPER,
  'trials/list': SELLER,
  'installations/start-trial': SELLER_AND_INSTALL,
  'installations/cancel-trial': SELLER_AND_INSTALL,
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
  'plans/create-license': SELLER,
  'installations/create-new-license': SELLER,
  'licenses/activate': KEY_HOLDER,
  'licenses/deactivate': KEY_HOLDER,
  'keywright/activate-license': KEY_HOLDER,
  'keywright/deactivate-license': KEY_HOLDER,
  'installations/retrieve-active-license-by-uid': {
    ...KEY_HOLDER,
    product: [...KEY_HOLDER.product, 'install token'],
    install: [...anybody, ...client],
  },
  'installations/retrieve-active-license-by-id': SELLER_AND_INSTALL,
  'installations/activate-license': SELLER_AND_INSTALL,
  'installations/deactivate-license': SELLER_AND_INSTALL,
  'installations/list-active-licenses': SELLER_AND_INSTALL,
  'keywright/list-license-sites': SELLER_AND_USER,
  'keywright/add-license-site': SELLER_AND_USER,
  'keywright/remove-license-site': SELLER_AND_USER,
  'keywright/migrate-license': SELLER,
  'licenses/list': SELLER,
  'licenses/retrieve': SELLER_AND_USER,
  'licenses/update': SELLER,
  'licenses/cancel': SELLER,
  'licenses/assign': SELLER,
  'licenses/deactivate-installs': SELLER,
  'licenses/sync-activations': DEVELOPER,
  'licenses/resend-keys': PUBLIC,
  'licenses/resend-upgrade-email': SELLER,
  'licenses/send-renewal-email': SELLER,
  'licenses/get-review-url': SELLER_AND_USER,
  'licenses/create-review': SELLER_AND_USER,
  'users/list-licenses': SELLER_AND_USER,
  'keywright/list-parent-licenses': USER,
  'keywright/list-license-owners': USER,
  'keywright/white-label-license': USER,
  'users/list': SELLER,
  'users/create': SELLER,
  'users/retrieve': { ...SELLER_AND_USER, install: client },
  'users/update': SELLER_AND_USER,
  'users/retrieve-billing': SELLER_AND_USER,
  'users/update-or-create-billing': SELLER_AND_USER,
}
