import { ApiError } from '../lib/errors.ts'
import type { Currency } from '../lib/money.ts'
import type { Offered } from '../lib/offered-settings.ts'
import { HOUR } from '../lib/time.ts'
import type { GatewayForm } from './form.ts'

/** 0 production, 1 sandbox. */
export type Environment = 0 | 1

/**
 * Who moves the money. What the buyer's bank says is an answer: paid, declined, pending. Every call that moves
 * money has a key: called again with the same key and request it answers the same and does nothing twice.
 * Called outside transactions only. `GatewayUnreachable` when there is no answer: whether it was done is not
 * known, so the call is made again with the same key. `GatewayRefused` and `CardNumberRefused` when nothing was
 * done. Whatever else is thrown is a fault of ours.
 */
export interface Gateway {
  /** As it stands in payments and subscriptions. */
  readonly code: string
  /** Whose payments it takes. */
  readonly environments: readonly Environment[]
  /** It is a wallet, such as PayPal; any other takes cards. */
  readonly isWallet?: true
  /** To whom a new payment by it is offered; absent: to all. What it has charged before is renewed for anybody. */
  readonly offered?: Offered | undefined
  /** What a page asks a buyer for a method of payment with; absent: nothing of ours does. */
  readonly form?: GatewayForm
  /** Charges a buyer who is there. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>
  /** Makes a method ready for later charges without charging it now. */
  setUp(request: SetUpRequest): Promise<SetUpOutcome>
  /** Charges a stored method while its owner is away; so nothing can be confirmed, and such a charge is declined. */
  chargeStored(request: StoredChargeRequest): Promise<ChargeOutcome>
  /** Gives back a charge or a part of it; the caller sees to it that all parts are within the charge. */
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** How a charge stands now; null when there is none with this id. */
  retrieveCharge(externalId: string): Promise<ChargeState | null>
  /** How the making of a method stands now; null when there is none with this id. */
  retrieveSetUp(externalId: string): Promise<SetUpOutcome | null>
  /**
   * Ends what waits for its buyer, a charge or the making of a method, and tells how it stands then: what was decided
   * meanwhile, or cannot be ended any more, stays as it is. Null when there is none with this id.
   */
  cancel(externalId: string): Promise<ChargeOutcome | SetUpOutcome | null>
  /**
   * What the gateway reports; the same event may come several times and in any order. Null when it was not the
   * gateway that sent it, or it is older than five minutes.
   */
  readWebhook(webhook: Webhook): Promise<readonly GatewayEvent[] | null>
  /**
   * Finds what was asked for with a key, also when the gateway has forgotten it, at the earliest after `keysLastMs`.
   * Left out only where no money is moved and nothing is kept: what such a gateway has not answered was never made.
   */
  readonly byKey?: ByKey
  /** How long after it was made a charge is found by its key; absent: for ever. */
  readonly foundForMs?: number
  /** How long it answers the same to the same key at least, at least two hours; absent: `KEYS_LAST_MS`. */
  readonly keysLastMs?: number
  /**
   * Asks whether its credentials count, and what it is set to report to an address that `isOurs`. `GatewayRefused` when
   * they do not. Absent: there are none.
   */
  check?(isOurs: (address: string) => boolean): Promise<Reporting>
  /** Of a gateway that sends nothing by itself: what it reports of a charge that was paid, `at` milliseconds. */
  reportsOf?(externalId: string, at: number): readonly GatewayEvent[]
}

/** How long a gateway that does not say otherwise answers the same to the same key at least. */
export const KEYS_LAST_MS = 23 * HOUR

/** Null: nothing was made with the key. What was asked for since less than the keys last may not be found yet. */
export interface ByKey {
  /** `begun`: when it was asked for first, or before it; milliseconds. */
  charge(key: string, begun: number): Promise<ChargeState | null>
  /**
   * Reads the charge that was asked for with a key by an id that the gateway's own pages show of it; null: that is none
   * of this key. Only of a gateway with `foundForMs`, where somebody may have to look for it.
   */
  shown?(key: string, shownId: string): Promise<ChargeState | null>
  refund(request: Pick<RefundRequest, 'key' | 'chargeId'>): Promise<RefundOutcome | null>
  /** The making of a method. Absent where it cannot be found: it charges nobody, and ends by itself. */
  setUp?(key: string, begun: number): Promise<SetUpOutcome | null>
}

export interface Amount {
  /** Minor units, at least 1. */
  readonly minor: number
  readonly currency: Currency
}

export interface ChargeRequest {
  /** Names this charge for ever, at most 255 characters. */
  readonly key: string
  readonly amount: Amount
  /** The method of payment, as the gateway's own form gave it; never a card number. */
  readonly token: string
  readonly email: string
  /** What the buyer reads on the statement of the account. */
  readonly description: string
  /** Where the buyer comes back to after a confirmation elsewhere. */
  readonly returnUrl: string
  /** Whether the method is stored for later charges. */
  readonly isKept: boolean
}

export type SetUpRequest = Pick<ChargeRequest, 'key' | 'token' | 'email' | 'returnUrl'>

export interface StoredChargeRequest extends Pick<ChargeRequest, 'key' | 'amount' | 'description'> {
  /** `token` of the stored method. */
  readonly method: string
}

export interface RefundRequest {
  readonly key: string
  /** `externalId` of the charge. */
  readonly chargeId: string
  /** In the currency of the charge, with tax. */
  readonly amount: Amount
}

/** What later charges need, and what its owner knows it by. */
export interface StoredMethod {
  /** Opaque; kept sealed. */
  readonly token: string
  readonly kind: 'card' | 'paypal' | 'ideal'
  /** Of a card; null elsewhere. */
  readonly card: Card | null
}

export interface Card {
  readonly brand: string
  /** The last four digits. */
  readonly last4: string
  /** 1 to 12. */
  readonly expiryMonth: number
  /** Four digits. */
  readonly expiryYear: number
}

export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'expired'
  /** The buyer did not confirm, or not rightly. */
  | 'confirmation_failed'
  /** The bank wants the owner to confirm, who is away. */
  | 'confirmation_needed'
  /** There is no such method at the gateway. */
  | 'invalid_method'

export interface Paid {
  readonly outcome: 'paid'
  readonly externalId: string
  /** What the gateway keeps of it, in minor units of its currency. */
  readonly fee: number
  /** Null unless it was to be kept. */
  readonly method: StoredMethod | null
}

export interface Declined {
  readonly outcome: 'declined'
  /** Null when the gateway has not written it down. */
  readonly externalId: string | null
  readonly reason: DeclineReason
  /** For the buyer. */
  readonly message: string
}

/** Not decided: the buyer must confirm, or the bank takes its time; `retrieveCharge` or a webhook tells the end. */
export interface Pending {
  readonly outcome: 'pending'
  readonly externalId: string
  /** Where the buyer confirms; null: there is nothing to do but wait. */
  readonly confirmationUrl: string | null
}

export type ChargeOutcome = Paid | Declined | Pending

export type SetUpOutcome =
  | { readonly outcome: 'ready'; readonly externalId: string; readonly method: StoredMethod }
  | Declined
  | Pending

export type RefundOutcome =
  | { readonly outcome: 'refunded' | 'pending'; readonly externalId: string }
  | {
      readonly outcome: 'refused'
      readonly reason: 'not_paid' | 'exceeds_charge' | 'refused'
      readonly message: string
    }

export type DisputeState = 'open' | 'won' | 'lost'

export interface ChargeState {
  readonly charge: ChargeOutcome
  /** Null: the buyer's bank disputes nothing. */
  readonly dispute: DisputeState | null
}

/** A request as it came. */
export interface Webhook {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Real time, milliseconds. */
  readonly now: number
}

interface Reported {
  /** Does not change when this event comes again. */
  readonly id: string
  /** When it happened, milliseconds. */
  readonly at: number
  /** `externalId` of the charge. */
  readonly chargeId: string
}

export type GatewayEvent =
  | (Reported & {
      readonly type: 'charge'
      readonly charge: ChargeOutcome
      /** With which it was asked for; left out where the gateway does not tell. */
      readonly key?: string
    })
  | (Reported & {
      readonly type: 'refund'
      readonly refundId: string
      /** Minor units of the charge's currency, with tax. */
      readonly minor: number
      readonly state: 'refunded' | 'failed'
    })
  | (Reported & {
      readonly type: 'dispute'
      readonly state: DisputeState
      /** What is disputed, and what the gateway takes for it; minor units of the charge's currency. */
      readonly minor: number
      readonly fee: number
    })

/** What a gateway is set to report; `unknown`: its credentials may not ask. */
export type Reporting =
  | { readonly state: 'whole' | 'none' | 'unknown' }
  | { readonly state: 'elsewhere'; readonly address: string }
  /** Without these events. */
  | { readonly state: 'in part'; readonly missing: readonly string[] }

/** No answer: it may have been done or not. */
export class GatewayUnreachable extends Error {
  override readonly name = 'GatewayUnreachable'
}

/**
 * No answer before anything was asked for that can move money by itself: it was not done, unless it was asked for under
 * the same key before.
 */
export class GatewayAway extends GatewayUnreachable {}

/** The answer of a call that moves no money by itself; `GatewayAway` without one. */
export async function beforeMoney<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof GatewayUnreachable ? new GatewayAway(error.message, { cause: error }) : error
  }
}

/** It was not done, for a fault of ours or of the settings: the gateway was not asked, or would not listen. */
export class GatewayRefused extends ApiError {
  override readonly name = 'GatewayRefused'
  /** Whether the same is answered whenever it is asked, so that it was never done with this key either. */
  readonly isForGood: boolean

  constructor(isForGood: boolean, cause: unknown) {
    super(503, 'gateway_refused', 'The payment gateway refuses this payment; nothing was charged.')
    this.isForGood = isForGood
    this.cause = cause
  }
}

/** A card number in the place of a token, which no gateway is sent. */
export class CardNumberRefused extends ApiError {
  override readonly name = 'CardNumberRefused'

  constructor() {
    super(400, 'card_number_refused', 'Send a token of the gateway, never a card number.')
  }
}
