import { isFeatured, type Row } from './reach-rows.ts'

/**
 * Who calls, and what the rules (`docs/decisions.md` 3.12 to 3.15) say that it may reach; written from their text
 * alone.
 */
export interface Holder {
  readonly name: string
  readonly side: 'account' | 'store' | 'product' | 'public' | 'person' | 'own' | 'nobody'
  readonly developerId: number
  readonly storeId?: number
  readonly productId?: number
  readonly userId?: number
  /** Signed in: itself in every product that it is a user of, as keys are in one. */
  readonly isSignedIn?: boolean
  /** Of reach own: the licenses whose key was shown, and the installs that were made. */
  readonly licenses: Set<number>
  readonly installs: Set<number>
  /** The installs that it named with a key that opens them: what was handed out for them is for it too. */
  readonly opened?: Set<number>
  /** The addresses that it said itself. */
  readonly said: Set<string>
  /** Whose checkout it has the token of. */
  readonly buyer?: number | undefined
  /** A member of the team: the person that it is. */
  readonly memberId?: number
}

/** What a role of a team may not see; an admin is told what the account is. */
export const HIDDEN_FROM = {
  admin: undefined,
  developer: ['license keys', 'sales'],
  support: [],
  accountant: ['license keys'],
} as const satisfies Record<string, readonly string[] | undefined>

/** What a product is sold as. */
export const CATALOGUE = new Set([
  'products',
  'plans',
  'pricing',
  'features',
  'feature_values',
  'product_info',
  'deployments',
  'coupons',
])

/** What a checkout shows of any product, as whoever knows one may buy it. */
const FOR_SALE = new Set(['products', 'plans', 'pricing', 'features', 'feature_values'])

/** Whether a checkout shows a row to whoever names nothing but the product; of reviews those that its seller features. */
export const isForSale = ({ side }: Pick<Holder, 'side'>, table: string, row: Row): boolean =>
  side === 'nobody' && (FOR_SALE.has(table) || (table === 'reviews' && isFeatured(row)))

/** What a person has. */
export const PERSONAL = new Set([
  'billing',
  'installs',
  'license_sites',
  'licenses',
  'payments',
  'payment_methods',
  'reviews',
  'subscriptions',
  'trials',
])
