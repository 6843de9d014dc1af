import type { Generated } from 'kysely'
import type { Currency } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { PAYMENT } from '../../sales/payments/payment.entity.ts'
import type { SUBSCRIPTION } from '../../sales/subscriptions/subscription.entity.ts'
import type { ColumnsOf, Entity, Sealed } from './columns.ts'
import type { Environment } from './licenses.ts'

/** Months; 0: once. */
export type Cycle = 0 | 1 | 12

/** What is paid again and again for a license; its columns are described with the noun. */
export interface SubscriptionsTable extends ColumnsOf<(typeof SUBSCRIPTION)['fields']> {}

/** Money that moved; its columns are described with the noun. */
export interface PaymentsTable extends ColumnsOf<(typeof PAYMENT)['fields']> {}
export type PaymentType = PaymentsTable['type']

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
  is_owed: Generated<boolean>
  /** Whether that is so of all of its payment, which has bought nothing. */
  is_unearned: Generated<boolean>
  /** Of one that is owed: whether it begins anew what an earlier one of its payment was to give back. */
  is_again: Generated<boolean>
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
