import type { Checkout } from '../server.ts'

/** What the form of a gateway gives: a token in the place of a card, and whose it is. */
export interface Method {
  readonly payment_token: string
  readonly gateway?: string
}

export interface PaymentForm {
  /** Throws a `Problem` where the form is not filled in as it must be. */
  token(checkout: Checkout): Promise<Method>
  /** At the click that pays, before anything is waited for: browsers block windows that open later. */
  begin?(): void
  /** Leads the buyer to where it is confirmed; null: there is nothing to confirm any more. */
  lead?(address: string | null): void
}

/** Whether paying needs a method of payment: not where nothing is charged, now or later. */
export const needsMethod = ({ action, quote, trial, renewal }: Checkout): boolean =>
  trial === 'free'
    ? false
    : action === 'payment_method_update' || trial === 'paid' || quote.total > 0 || renewal !== null
