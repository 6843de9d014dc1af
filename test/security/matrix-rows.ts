import { IMPORTS } from './of-imports.ts'
import type { ScopeKind } from '../../src/access/scope.ts'

/** Every kind of credential a caller can bring. */
export const CREDENTIALS = [
  'none',
  'bearer',
  'bearer of another product',
  'developer token',
  'developer token of this product',
  'developer token of another product',
  'developer token of some rights',
  'developer token of another seller',
  'developer token that expired',
  'developer token that was revoked',
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
  'portal',
  'portal of another user',
  'portal of another product',
  'portal of another developer',
  'portal that expired',
  'portal that was left',
  'garbage',
] as const
export type Credential = (typeof CREDENTIALS)[number]

/** Who may, by scope. `nowhere`: the operation has no address there, so nobody learns more than 401 or 404. */
export type Row = Readonly<Record<ScopeKind, readonly Credential[] | 'nowhere'>>

const token = ['bearer', 'FS product'] as const
export const account = ['FS developer', 'FSA developer', 'session', 'developer token'] as const
/** In a product of the account; a token that is narrowed to it reaches it too. */
const inProduct = [...account, 'developer token of this product'] as const
export const store = ['FS store'] as const
const person = ['FS user', 'FSA user', 'portal'] as const
/** What an install was handed out. */
export const client = ['FS install', 'install token'] as const
const nobody = [] as const
/** Who is in the portal, whoever it is. */
const inPortal = [
  'portal',
  'portal of another user',
  'portal of another product',
  'portal of another developer',
] as const
/** A browser brings its cookies everywhere; where nobody need be known they are not looked at. */
export const anybody = [
  'none',
  'session',
  'session of another developer',
  'session that ended',
  ...inPortal,
  'portal that expired',
  'portal that was left',
] as const

/** Every credential of a scheme that signs, or looks like one. */
export const signing = CREDENTIALS.filter((one) => one.startsWith('FS') || one === 'garbage')

/** Reads and writes of a seller: with the product's token or keys, the account's, or the store's. */
export const SELLER = {
  product: token,
  developer: inProduct,
  store,
  user: nobody,
  install: nobody,
  account: 'nowhere',
  store_account: 'nowhere',
  root: 'nowhere',
} as const satisfies Row

/** Reads and writes of a seller, and of users with their own. */
export const SELLER_AND_USER = { ...SELLER, user: person } as const satisfies Row

/** Reads and writes of a seller, and of the install itself, whose token opens its paths under the product too. */
export const SELLER_AND_INSTALL = {
  ...SELLER,
  product: [...token, 'install token'],
  install: client,
} as const satisfies Row
export const EVERYBODY = { ...SELLER_AND_INSTALL, user: person } as const satisfies Row

/** What users do with their own alone. */
export const USER = {
  ...SELLER,
  product: nobody,
  developer: nobody,
  store: nobody,
  user: person,
} as const satisfies Row

/** Reads of a seller, and of whoever has the public key of the product. */
export const PUBLIC = { ...SELLER, product: [...token, 'FSP product'] } as const satisfies Row
export const PUBLIC_AND_USER = { ...PUBLIC, user: person } as const satisfies Row

/** Whoever knows a license's key, on the product's own path; elsewhere as a seller. */
export const KEY_HOLDER = { ...PUBLIC, product: [...anybody, ...token, 'FSP product'] } as const satisfies Row

/** Writes of the account alone. */
export const DEVELOPER = { ...SELLER, product: nobody, store: nobody } as const satisfies Row

/** Writes of the account alone, in a product, that reach beyond it. */
export const BEYOND_PRODUCT = { ...DEVELOPER, developer: account } as const satisfies Row

/** What is about a person in all products: for the account, and who has proven to be that person. */
const OF_A_PERSON = { ...BEYOND_PRODUCT, user: ['FSA user', 'portal'] } as const satisfies Row

export const ELSEWHERE = {
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
export const ACCOUNT = { ...ELSEWHERE, account } as const satisfies Row

/** What goes over the products of an account; who is narrowed to some is answered these alone. */
export const OF_EACH_PRODUCT = {
  ...ACCOUNT,
  account: [...inProduct, 'developer token of another product'],
} as const satisfies Row

/** What is asked of an account over all its products. */
const OVER_PRODUCTS = {
  'keywright/search': ACCOUNT,
  ...Object.fromEntries(IMPORTS.map((id) => [id, ACCOUNT])),
  'keywright/retrieve-account-overview': ACCOUNT,
  'keywright/list-account-licenses': OF_EACH_PRODUCT,
  'keywright/list-account-users': OF_EACH_PRODUCT,
  'keywright/list-account-payments': OF_EACH_PRODUCT,
  'keywright/list-account-subscriptions': OF_EACH_PRODUCT,
  'keywright/list-account-trials': OF_EACH_PRODUCT,
  'keywright/list-account-disputes': OF_EACH_PRODUCT,
  'keywright/list-disputes': SELLER,
  'keywright/retrieve-trial': SELLER,
  'keywright/explain-payment': SELLER,
  'keywright/retrieve-price-use': SELLER,
  'keywright/preview-license-plan': SELLER,
  'keywright/change-license-plan': SELLER,
  'keywright/retrieve-overview': SELLER,
  'keywright/list-installs-figures': SELLER,
  'keywright/list-activations-figures': SELLER,
  'keywright/list-trials-figures': SELLER,
  'keywright/list-carts-figures': SELLER,
  'keywright/list-refunds-figures': SELLER,
  'keywright/list-expirations-figures': SELLER,
  'keywright/list-worth-figures': SELLER,
  'keywright/list-versions-figures': SELLER,
} as const satisfies Record<string, Row>

/** What an account has over all its products and beside them, and the cards of users. */
export const OF_STORES_AND_CARDS = {
  ...OVER_PRODUCTS,
  'keywright/create-store': ACCOUNT,
  'keywright/list-account-events': OF_EACH_PRODUCT,
  'keywright/retrieve-account-event': ACCOUNT,
  'keywright/export-user': OF_A_PERSON,
  'keywright/erase-user': OF_A_PERSON,
  'keywright/list-cards': SELLER_AND_USER,
  'keywright/retrieve-card': SELLER_AND_USER,
} as const satisfies Record<string, Row>

/** What a buyer does in the portal. */
export const OF_BUYERS = {
  'keywright/white-label-license': USER,
  'licenses/deactivate-installs': SELLER_AND_USER,
  'keywright/list-own-versions': USER,
  'keywright/download-own-version': USER,
  'keywright/rotate-license-key': SELLER_AND_USER,
  'keywright/show-license-key': DEVELOPER,
  'keywright/retrieve-subscription-choices': SELLER_AND_USER,
  'keywright/resume-subscription': SELLER_AND_USER,
  'keywright/list-user-trials': SELLER_AND_USER,
  'keywright/mail-invoice': SELLER_AND_USER,
} as const satisfies Record<string, Row>

/** Whichever token calls. */
const ANY_TOKEN = {
  ...ELSEWHERE,
  root: [
    'bearer',
    'bearer of another product',
    'developer token',
    'developer token of this product',
    'developer token of another product',
    'developer token of some rights',
    'developer token of another seller',
  ],
} as const satisfies Row

/** Tokens of products and of an account, and its team. */
export const OF_TOKENS_AND_TEAM = {
  'keywright/list-roles': ACCOUNT,
  'keywright/list-audit': ACCOUNT,
  'keywright/retrieve-server': ACCOUNT,
  'keywright/list-members': ACCOUNT,
  'keywright/retrieve-token': ANY_TOKEN,
  'keywright/list-api-tokens': DEVELOPER,
  'keywright/create-api-token': DEVELOPER,
  'keywright/revoke-api-token': DEVELOPER,
  'keywright/list-developer-tokens': ACCOUNT,
  'keywright/create-developer-token': ACCOUNT,
  'keywright/revoke-developer-token': ACCOUNT,
} as const satisfies Record<string, Row>

/** What concerns a store: its developer, and the store itself. */
export const STORE = { ...ACCOUNT, store_account: store } as const satisfies Row

/** What concerns a login of one's own. */
export const LOGGED_IN = { ...ELSEWHERE, account: ['session'] } as const satisfies Row

const ANY_SESSION = { ...ELSEWHERE, root: ['session', 'session of another developer'] } as const

const IN_PORTAL = { ...ELSEWHERE, root: inPortal } as const

/** The login of a person, whichever accounts it has, and the visit of a user to the portal. */
export const SIGNING_IN: Readonly<Record<string, Row>> = {
  'keywright/sign-in': { ...ELSEWHERE, root: ['none'] },
  'keywright/log-in-user': { ...ELSEWHERE, root: ['none'] },
  'keywright/send-password-link': { ...ELSEWHERE, root: [...anybody] },
  'keywright/sign-out': ANY_SESSION,
  'keywright/retrieve-person-session': ANY_SESSION,
  'keywright/list-sessions': ANY_SESSION,
  'keywright/end-session': ANY_SESSION,
  'keywright/ask-for-portal-link': { ...ELSEWHERE, root: [...anybody] },
  'keywright/retrieve-portal-session': IN_PORTAL,
  'keywright/leave-portal': IN_PORTAL,
  'keywright/put-portal-language': IN_PORTAL,
  'keywright/view-portal': { ...DEVELOPER, developer: ['session'] },
}

/** What anybody calls who opens the page of a checkout. */
export const CHECKOUTS: Readonly<Record<string, Row>> = Object.fromEntries(
  [
    'keywright/open-checkout',
    'keywright/locate-buyer',
    'keywright/retrieve-checkout-product',
    'keywright/retrieve-checkout',
    'keywright/update-checkout',
    'keywright/pay-checkout',
    'keywright/connect-site-of-checkout',
    'keywright/resend-key-of-checkout',
    'keywright/download-receipt-of-checkout',
    'keywright/contact-support',
  ].map((id) => [id, { ...ELSEWHERE, root: [...anybody] }]),
)

/** What a seller asks when helping a customer. */
export const OF_SUPPORT: Readonly<Record<string, Row>> = {
  'keywright/explain-license': SELLER,
  'keywright/list-refusals': SELLER,
  'keywright/list-mails': SELLER,
  'keywright/retrieve-mail': SELLER,
  'keywright/retry-mail': SELLER,
  'keywright/list-mail-templates': SELLER,
  'keywright/retrieve-mail-template': SELLER,
  'keywright/preview-mail-template': SELLER,
  'keywright/preview-mail-text': SELLER,
  'keywright/update-mail-template': SELLER,
  'keywright/reset-mail-template': SELLER,
  'keywright/test-mail-template': { ...DEVELOPER, developer: ['session'] },
  'keywright/timeline-of-license': SELLER,
  'keywright/timeline-of-user': SELLER,
  'keywright/retrieve-deployment': SELLER,
  'keywright/retrieve-build-report': SELLER,
}
