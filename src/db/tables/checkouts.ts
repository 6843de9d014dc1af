import type { ColumnType, Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { CartsTable } from './carts.ts'
import type { Entity } from './columns.ts'
import type { Environment } from './licenses.ts'
import type { Cycle } from './payments.ts'

/** What the online check said of a VAT id; `unchecked`: it was not asked, or did not answer. */
export const VAT_CHECKS = ['valid', 'invalid', 'malformed', 'unchecked'] as const
export type VatCheck = (typeof VAT_CHECKS)[number]

export const CHECKOUT_ACTIONS = ['purchase', 'license_update', 'payment_method_update', 'trial'] as const
export type CheckoutAction = (typeof CHECKOUT_ACTIONS)[number]

/**
 * How consent to marketing is asked for: where the law asks for it (`default`), everywhere, and ticked beforehand where
 * the law lets it (`opt_out`), or not at all.
 */
export const CONSENT_MODES = ['default', 'opt_out', 'hidden'] as const
type ConsentMode = (typeof CONSENT_MODES)[number]

/** What somebody is about to buy; whoever knows its token goes on with it. */
export interface CheckoutsTable extends Entity {
  product_id: number
  token_hash: string
  environment: Environment
  /** `paying`: a gateway was asked and has not decided. */
  state: 'open' | 'paying' | 'paid'
  /** What it leads to; each has a module of its own (`sales/checkouts/actions.ts`). */
  action: CheckoutAction
  /** Of a trial: whether a method of payment is asked for (`paid`). */
  trial: 'free' | 'paid' | null
  trial_id: number | null
  /** What is changed, renewed, or paid for in another way. */
  of_license_id: number | null
  /** How often it was tried to pay. */
  attempt: number
  /** Of whoever came with a token of theirs; else known once it is paid. */
  user_id: number | null
  cart_id: number | null
  /** The site that it was opened from, as that has proven; it may be erased since. */
  install_id: number | null
  plan_id: number
  /** With it how many licenses, and the currency. */
  pricing_id: number
  billing_cycle: Cycle
  coupon_code: string | null
  /** One whose code nobody is shown. */
  coupon_id: number | null
  /** Empty: not told; as the names. */
  email: string
  first: string
  last: string
  country_code: string | null
  region: string | null
  zip_postal_code: string | null
  vat_id: string | null
  /** The company that is bought for and its address, with the place above; null: not told. */
  business_name: string | null
  address_street: string | null
  address_apt: string | null
  address_city: string | null
  /** The letters a VAT id begins with, and what the check of it said; null: there is none. */
  vat_country: string | null
  vat_check: VatCheck | null
  /** Address and names came with the token of a user, and stay. */
  is_readonly: boolean
  /** Which token of a user it was opened with; one token pays once. */
  buyer_token: string | null
  /** Who goes on with it holds a license key and no more: nothing is said of the owner. */
  is_hidden: boolean
  /** JSON: what it came to when it was begun to pay. */
  kept: string | null
  /** Of a change: what its price depended on, and the price, when it was last told. */
  seen: string | null
  /** Whether it is a cart too. */
  is_recorded: boolean
  visitor: string | null
  ip: string | null
  /** Where it is shown, and the page that holds it; empty: nobody said. */
  mode: Generated<CartsTable['mode']>
  url: Generated<string>
  /** Of the buyer, such as `de` or `de_AT`; null: not told. */
  language: ColumnType<string | null, string | null | undefined, string | null>
  /** Where the buyer is led after it. */
  redirect_url: string | null
  /** How its page asks for consent to marketing, and what the buyer said as it was paid; null: nothing. */
  gdpr: Generated<ConsentMode>
  is_marketing_allowed: ColumnType<boolean | null, boolean | null | undefined, boolean | null>
  /** To what the buyer agreed as it was begun to pay, as it was shown, and when; null: to nothing. */
  waiver: ColumnType<string | null, string | null | undefined, string | null>
  waived_at: ColumnType<UtcTime | null, UtcTime | null | undefined, UtcTime | null>
  /** Whether the buyer was nobody's user before it was paid. */
  made_user: Generated<boolean>
  charge_id: number | null
  payment_id: number | null
  subscription_id: number | null
  license_id: number | null
  expires_at: UtcTime
}

/** What an address has under way in one checkout only, until a real time in milliseconds. */
export interface CheckoutGuardsTable {
  name: string
  email_folded: string
  checkout_id: number
  until_ms: number
}
