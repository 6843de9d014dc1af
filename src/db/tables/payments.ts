import type { Generated } from 'kysely'
import type { Currency } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag, Sealed } from './columns.ts'
import type { Environment } from './licenses.ts'

/** Months; 0: once. */
export type Cycle = 0 | 1 | 12

/** What is bought, by whom and from where; money is minor units of the currency. */
interface Bought extends Entity {
  product_id: number
  user_id: number
  /** Null: none, or it was deleted; as of the license. */
  install_id: number | null
  plan_id: number
  pricing_id: number | null
  license_id: number | null
  coupon_id: number | null
  payment_method_id: number | null
  /** At the gateway, or where it was brought along from. */
  external_id: string | null
  /** Null: nothing was charged, or elsewhere. */
  gateway: string | null
  billing_cycle: Cycle
  currency: Currency
  /** Millionths. */
  tax_rate: number
  country_code: string | null
  zip_postal_code: string | null
  vat_id: string | null
  ip: string | null
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: number
  environment: Environment
}

/** What is paid again and again for a license, until it is cancelled; at most one not cancelled per license. */
export interface SubscriptionsTable extends Bought {
  /** Of countries that tax by region: its code without the country's. */
  region: string | null
  /** Without tax, as the next three. */
  amount_per_cycle: number
  initial_amount: number
  renewal_amount: number
  /** Hundredths: of a percent, or minor units. */
  renewals_discount: number
  renewals_discount_type: 'percentage' | 'dollar'
  /** Of all its payments, with tax. */
  total_gross: number
  outstanding_balance: number
  failed_payments: number
  trial_ends: UtcTime | null
  /** Whose day and hour the periods keep (`docs/decisions.md` 5.4). */
  period_anchor: UtcTime
  period_start: UtcTime
  /** End of the paid period; null: cancelled. */
  next_payment: UtcTime | null
  canceled_at: UtcTime | null
  /** On the clock of its environment, as all but `created` and `updated`. */
  started_at: UtcTime
  /** The `next_payment` of which its buyer was reminded. */
  reminded_for: UtcTime | null
  /** When it is looked at next, on the clock of its environment. */
  due_at: UtcTime | null
  /** How often the renewal of this period was tried. */
  attempt: number
  /** Real time, milliseconds; with `fence`, who has it in hand. */
  lease_until: number
  fence: number
  /** Whether it was brought along and is paid where it came from: nothing is charged here, nor tried to be. */
  is_elsewhere: Generated<Flag>
  /**
   * The coupon in whose place `coupon_id` is; what is better of the two is off a renewal (`docs/decisions.md` 5.18).
   */
  replaced_coupon_id: number | null
}

export const PAYMENT_TYPES = [
  'payment',
  'refund',
  'disputed',
  'won_dispute',
  'lost_dispute',
  'chargeback',
] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

/** Money that moved. What undoes an earlier payment is bound to it and negative. */
export interface PaymentsTable extends Bought {
  subscription_id: number | null
  bound_payment_id: number | null
  /** As of the subscription. */
  region: string | null
  type: PaymentType
  /** Without tax. */
  gross: number
  tax: number
  /** Which rule the tax rate comes from. */
  tax_rule: string | null
  gateway_fee: number
  /**
   * Of a payment: what was given back of it or is about to be; of a lost dispute: what was lost; of a dispute: what was
   * not left of its payment, as that was given back, with tax.
   */
  refunded_gross: number
  refunded_tax: number
  is_renewal: Flag
  refund_reason: string | null
  /** When it was paid, on the clock of its environment. */
  processed_at: UtcTime
}

/** A card or an account that is charged later. */
export interface PaymentMethodsTable extends Entity {
  product_id: number
  user_id: number
  gateway: string
  kind: 'card' | 'paypal' | 'ideal'
  token: Sealed
  brand: string | null
  last4: string | null
  expiry_month: number | null
  expiry_year: number | null
  environment: Environment
}

/** A call to a gateway that moves money: written before it, settled after it. */
export interface ChargesTable extends Entity {
  /** Names the call at the gateway for ever. */
  key: string
  product_id: number
  /** Null: whoever pays is no user yet. */
  user_id: number | null
  environment: Environment
  /** `balance`: what was left to pay of a renewal; `setup`: nothing is charged, a method is made ready. */
  purpose: 'purchase' | 'renewal' | 'refund' | 'balance' | 'setup'
  subscription_id: number | null
  /** Of a refund: what is refunded. */
  payment_id: number | null
  /** Of a refund of what became no payment: the charge. */
  of_charge_id: number | null
  /** Of a refund: whether its payment could pay for nothing, so that it is asked for until the gateway makes it. */
  is_owed: Generated<Flag>
  /** Whether that is so of all of its payment, which has bought nothing. */
  is_unearned: Generated<Flag>
  /** Of one that is owed: whether it begins anew what an earlier one of its payment was to give back. */
  is_again: Generated<Flag>
  /** With tax; 0 of a `setup`. */
  amount: number
  currency: Currency
  gateway: string
  /**
   * `started`: it may be under way; `pending`: not decided, or no answer came; `unmade`: its gateway has not made it
   * and never will, which nobody has declined.
   */
  state: 'started' | 'pending' | 'declined' | 'unmade' | 'settled'
  external_id: string | null
  /** JSON: what is to be done when it is decided. */
  details: string | null
  /** The gateway's token of the method of payment that it is asked for with, sealed; null where there is none. */
  token: string | null
  /** The payment that it became. */
  outcome_id: number | null
  /** Real time, milliseconds: until then who started it has it in hand. */
  lease_until: number
  settled_at: UtcTime | null
  /**
   * Real time, milliseconds: since when its gateway finds none under its key, which it may have forgotten; null: it
   * does.
   */
  missed_at: number | null
  /** Real time, milliseconds: when what was let go as never made is looked up for the last time; null: no more. */
  look_at: number | null
}

/** What gateways reported, each event once. */
export interface GatewayEventsTable {
  id: Generated<number>
  gateway: string
  event_id: string
  /** Of a refund: its id at the gateway. */
  refund_id: string | null
  /** JSON: of refunds and disputes, and of a charge that is settled later, without its method of payment. */
  report: string | null
  /** That method of payment, as JSON; null: there is none to keep. */
  method: Sealed | null
  /** Real time, milliseconds: when it is looked at again, as it could not be taken yet; null: nothing is left to do. */
  due_at: number | null
  created: UtcTime
}

/** A tax that was charged while a VAT id could not be checked online (`docs/decisions.md` 5.8). */
export interface ProvisionalTaxesTable extends Entity {
  payment_id: number
  product_id: number
  /**
   * `kept`: the id was not found, or nobody could check it in time; `owed`: it was found, and what was to be given back
   * for it was refused, or has failed.
   */
  state: 'waiting' | 'owed' | 'credited' | 'kept'
  attempts: number
  /** Real time, milliseconds: when it is checked next; null: decided. */
  due_at: number | null
  /** Real time, milliseconds; with `fence`, who has it in hand. */
  lease_until: number
  fence: number
}

/** One side of a ledger entry; those of a payment add up to 0. */
export interface PostingsTable {
  id: Generated<number>
  payment_id: number
  account: string
  currency: Currency
  /** Minor units. */
  amount: number
  environment: Environment
  product_id: number
  created: UtcTime
}

/** What was taken off a payment, or is off the renewals of a subscription. */
export interface DiscountsTable extends Entity {
  product_id: number
  entity_type: 'payment' | 'subscription'
  entity_id: number
  type: 'prorate' | 'subscription_cancellation'
  /** Minor units of the currency of what it belongs to. */
  discount: number
  coupon_id: number | null
  /** Of a cancellation coupon, which a license has once. */
  license_id: number | null
}
