import type { Checkout } from '../server.ts'

/** What the form of a gateway gives: a token in the place of a card, and whose it is. */
export interface Method {
  readonly payment_token: string
  readonly gateway?: string
}

/** How a buyer came back whom the script of a gateway has led away; `lost`: it could not, or does not say. */
export type CameBack = 'approved' | 'cancelled' | 'lost'

export interface PaymentForm {
  /** The code of a wallet, whose owner leaves the page to confirm. */
  readonly wallet?: string
  /** Throws a `Problem` where the form is not filled in as it must be. */
  token(checkout: Checkout): Promise<Method>
  /** At the click that pays, before anything is waited for: browsers block windows that open later. */
  begin?(): void
  /**
   * Leads the buyer to where it is confirmed; null: there is nothing to confirm any more. Where a script of the gateway
   * leads there, it resolves when the buyer is back.
   */
  lead?(address: string | null): Promise<CameBack> | null
  /** Shows its own button in the place of the one that pays; returns what takes it away. */
  mount?(place: HTMLElement): () => void
}

interface About {
  /** The publishable key. */
  readonly key: string
  readonly currency: string
  readonly language: string
  pay(): Promise<void>
  /** Whether nothing is missing that has to be said before. */
  isReady(): boolean
}

/** Loads the script and gives the form whose button it shows; rejects where it does not come. */
export type Load = (about: About) => Promise<PaymentForm>

/** Whether paying needs a method of payment: not where nothing is charged, now or later. */
export const needsMethod = ({ action, quote, trial, renewal }: Checkout): boolean =>
  trial === 'free'
    ? false
    : action === 'payment_method_update' || trial === 'paid' || quote.total > 0 || renewal !== null
