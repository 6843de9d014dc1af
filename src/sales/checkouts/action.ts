import type { ReadContext, TxContext } from '../../context.ts'
import type { ChargeOutcome, Paid } from '../../gateways/gateway.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import type { Quote, QuoteLine } from '../quotes/quote.ts'
import type { Tax } from '../taxes/tax.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { OfferRow, OwnedCheckout } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import type { Evaluation } from '../coupons/evaluate.ts'
import type { CouponRow } from '../coupons/schema.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import type { ChargeRow } from '../charges/charge-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { TrialRow } from '../../licensing/trials/schema.ts'
import type { CheckoutState } from './state.ts'
import type { SoldRow } from './state-queries.ts'
import type { About } from '../../mail/mail-rows.ts'
import type { Bought as BoughtText } from '../invoices/invoice-rows.ts'
import type { Recipient } from '../../people/users/recipient.ts'

/** Everything a checkout comes to at a moment. */
export interface Priced {
  readonly price: OfferRow
  readonly product: SoldRow
  /** Minor units. */
  readonly amountPerCycle: number
  readonly quote: Quote
  /** The rule behind a line where its kind does not say it. */
  readonly rules: Partial<Record<QuoteLine['kind'], LineRule>>
  readonly tax: Pick<Tax, 'rate' | 'rule' | 'isProvisional'> & Partial<Pick<Tax, 'isProvisional'>>
  readonly coupon: Evaluation<CouponRow> | null
  /** Null: it is paid once. */
  readonly renewal: { readonly at: UtcTime; readonly quote: Quote } | null
  /** Of renewals: hundredths of a percent, or minor units; 0: none. */
  readonly renewalsDiscount: { readonly discount: number; readonly type: 'percentage' | 'dollar' }
  /** Whether a method of payment is asked for though nothing is charged now. */
  readonly needsMethod: boolean
  /** What is changed, as it stands; null: nothing is. */
  readonly change: Change | null
  /** What is tried; left out where nothing is. */
  readonly trial?: TrialTerms
  /** Of a purchase: the name under which its buyer has the same under way once (`docs/decisions.md` 5.26). */
  readonly boughtAs?: string
  readonly now: UtcTime
}

export interface TrialTerms {
  readonly days: number
  /** If it began now. */
  readonly endsAt: UtcTime
  /** What is charged when it ends; null: nothing is, and it just ends. */
  readonly firstPayment: Quote | null
}

export interface LineRule {
  readonly rule: string
  /** Of what was paid, the days that are left. */
  readonly daysLeft?: number | null
  readonly days?: number | null
}

/** What a change begins from and what it does to it. */
export interface Change {
  readonly kind: 'renewal' | 'upgrade' | 'payment_method'
  readonly licenseId: number
  /** Of the license and its subscription all that the price depends on: another text, another price. */
  readonly state: string
  /** The subscription that is replaced; null: none is active. */
  readonly subscriptionId: number | null
  /** When the license ends after it; null: never. */
  readonly expiration: UtcTime | null
  /** Of what is left of what was paid what the price leaves over, which is not paid out; minor units. */
  readonly unusedCredit: number
  /** What is paid for; null: once and for all. */
  readonly period: Period | null
  /** What goes on to be off the renewals; of two the better one counts (`docs/decisions.md` 5.18). */
  readonly couponId: number | null
  readonly replacedCouponId?: number | null
  /** The coupon of the subscription that is replaced, as it was priced; with another one, that came meanwhile. */
  readonly formerCouponId?: number | null | undefined
}

export interface Period {
  /** Whose day the periods keep. */
  readonly anchor: UtcTime
  readonly start: UtcTime
  readonly end: UtcTime
}

/** What a price of a change depends on, and what it is; null: nothing is changed. */
export const seenOf = ({ change, quote }: Pick<Priced, 'change' | 'quote'>): string | null =>
  change && `${change.state} ${quote.total} ${quote.currency}`

export const repriced = () =>
  invalid('checkout_repriced', 'What this checkout costs has changed; look at its price again.', 'total')

export const inProgress = () =>
  invalid('checkout_in_progress', 'This checkout is being paid; ask again in a moment.')

/** Of a price what is written down when somebody begins to pay it. */
export type Kept = Pick<
  Priced,
  | 'amountPerCycle'
  | 'quote'
  | 'tax'
  | 'renewal'
  | 'renewalsDiscount'
  | 'needsMethod'
  | 'change'
  | 'rules'
  | 'trial'
  | 'boughtAs'
  | 'now'
> & {
  readonly couponId: number | null
  readonly licenses: number | null
  /** What the checkout was about; left out by an earlier version. */
  readonly sold?: Pick<CheckoutRow, 'plan_id' | 'pricing_id' | 'billing_cycle'>
}

/** A checkout in which somebody pays, and what the gateway said; null: it was not asked. */
export interface Asked {
  readonly checkout: OwnedCheckout
  readonly scope: Scope
  readonly kept: Kept
  readonly charge: ChargeRow | null
  readonly outcome: ChargeOutcome | null
}

/** What a checkout led to. */
export interface Bought {
  readonly userId: number
  /** Whether nobody had its address before. */
  readonly madeUser?: boolean
  /** Null: it was erased meanwhile. */
  readonly license: LicenseRow | null
  readonly payment: PaymentRow | null
  readonly subscription: SubscriptionRow | null
  readonly trial?: TrialRow | null
  /** What else of it is read already; left out: nothing is. */
  readonly known?: KnownSale
}

/** What those who tell of a sale know of it without reading it again. */
export interface KnownSale {
  readonly to: Recipient
  readonly about: About | undefined
  /** What its invoice tells; null: it has none. */
  readonly bought: BoughtText | null
  readonly isKeyShown: boolean
  /** Whether the product leads buyers on whose checkout names no page. */
  readonly isLedOn: boolean
}

/** A checkout that is paid, in the transaction that writes it. */
export interface Settling extends Asked {
  /** As it is from now on. */
  readonly checkout: OwnedCheckout
  /** Null: nobody was asked. With a method of payment where one was to be kept. */
  readonly paid: Paid | null
}

/** What a checkout can be for. `Priced.quote.total` is what is charged; 0 with `needsMethod`: a method is set up. */
export interface CheckoutActionModule {
  /** Which charges of it are written down as; `setup` where nothing is charged. */
  readonly purpose: 'purchase' | 'balance'
  /** What it comes to now; 404 when it is not sold any more. */
  price(ctx: ReadContext, state: CheckoutState): Promise<Priced>
  /**
   * In the transaction that begins to pay: refuses, and keeps for this checkout alone what no other may have
   * meanwhile.
   */
  hold(tx: TxContext, scope: Scope, row: CheckoutRow, priced: Priced): Promise<void>
  /** In the transaction that lets go of what was not paid: the coupon and the guards are let go by the caller. */
  release(tx: TxContext, asked: Pick<Asked, 'scope' | 'checkout' | 'kept'>): Promise<void>
  /**
   * Of what nobody was charged for: whether it may still be written as it was priced. What was charged is written
   * whatever happened meanwhile, but for what `settleCheckout` gives back.
   */
  isStill(tx: TxContext, asked: Asked): Promise<boolean>
  /** Writes everything a checkout leads to. */
  settle(tx: TxContext, settling: Settling): Promise<Bought>
}
