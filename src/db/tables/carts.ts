import type { Generated } from 'kysely'
import type { Currency } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity } from './columns.ts'
import type { Environment } from './licenses.ts'

/**
 * States (`docs/interface.md` 10.2); none of ours begins as `pricing_visit`, as a cart begins with an address at a
 * checkout.
 */
export const CART_STATUSES = [
  'pricing_visit',
  'visit',
  'abandoned',
  'completed',
  'email_1_sent',
  'email_2_sent',
  'email_3_sent',
  'recovered',
] as const
/** The states of an open cart that was mailed about. */
export const MAILED = ['email_1_sent', 'email_2_sent', 'email_3_sent'] as const satisfies CartStatus[]
export type CartStatus = (typeof CART_STATUSES)[number]
export const CART_MODES = ['dashboard', 'dialog', 'page'] as const
export const PAYMENT_METHODS = ['cc', 'paypal', 'ideal'] as const

/**
 * What somebody is about to buy, or was; of one visitor one is open at a time, and of an address one is mailed about.
 */
export interface CartsTable extends Entity {
  product_id: number
  environment: Environment
  status: CartStatus
  mode: (typeof CART_MODES)[number]
  payment_method: (typeof PAYMENT_METHODS)[number]
  plan_id: number | null
  pricing_id: number | null
  is_trial: boolean
  /** Months; 0: lifetime. */
  billing_cycle: 1 | 12 | 0
  /** Null: unlimited, or no price is chosen yet. */
  licenses: number | null
  currency: Currency
  /** Minor units, before discounts. */
  price: number
  /** Minor units, after discounts and before tax; null while no price is chosen. */
  gross: number | null
  coupon_id: number | null
  coupon_code: string | null
  install_id: number | null
  user_id: number | null
  /** Keyed hash of what a browser, or a person who has proven the address, is known by; null: neither is. */
  visitor: string | null
  country_code: string | null
  zip_postal_code: string
  vat_id: string | null
  /** Empty until the buyer has said it. */
  email: string
  email_folded: string
  first: string
  last: string
  ip: string
  /** The page that held the checkout. */
  url: string
  /** Whether more was done at the checkout than to type the address; 0 of one given up: it waits for a visit. */
  went_on: Generated<boolean>
  is_disabled: boolean
  is_unsubscribed: boolean
  /** Business time of the first and of the last visit. */
  visited: UtcTime
  last_visit: UtcTime
  completed: UtcTime | null
  /** Business time at which recovery has something to do next; null: nothing. */
  recover_at: UtcTime | null
}
