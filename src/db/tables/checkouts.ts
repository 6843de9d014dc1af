import type { VatId } from '../../lib/tax.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag } from './columns.ts'
import type { Environment } from './licenses.ts'
import type { Cycle } from './payments.ts'

/** What somebody is about to buy; whoever knows its token goes on with it. */
export interface CheckoutsTable extends Entity {
  product_id: number
  token_hash: string
  environment: Environment
  /** `paying`: a gateway was asked and has not decided. */
  state: 'open' | 'paying' | 'paid'
  /** How often it was tried to pay. */
  attempt: number
  /** Of whoever came with a token of theirs; else known once it is paid. */
  user_id: number | null
  cart_id: number | null
  plan_id: number
  /** With it how many licenses, and the currency. */
  pricing_id: number
  billing_cycle: Cycle
  coupon_code: string | null
  /** Empty: not told; as the names. */
  email: string
  first: string
  last: string
  country_code: string | null
  region: string | null
  zip_postal_code: string | null
  vat_id: string | null
  /** The letters a VAT id begins with, and what the check of it said; null: there is none. */
  vat_country: string | null
  vat_check: VatId['check'] | null
  /** Address and names came with the token of a user, and stay. */
  is_readonly: Flag
  /** Whether it is a cart too. */
  is_recorded: Flag
  visitor: string | null
  ip: string | null
  /** Where the buyer is led after it. */
  redirect_url: string | null
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
