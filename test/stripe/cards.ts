/** What happens with a test method of payment. */
export interface Behaviour {
  /** When the buyer is there. */
  readonly first: 'paid' | 'confirmed' | 'unconfirmed' | 'processing' | 'unreachable' | Decline
  /** When the buyer is away. */
  readonly later: 'paid' | Decline
  readonly isDisputed?: true
  /** What is paid out in another currency, for how much of it a unit of the charge's is bought. */
  readonly exchangeRate?: number
  readonly type?: 'ideal' | 'paypal'
}

type Decline = 'declined' | 'insufficient' | 'expired' | 'needs_owner'

/** By the names that Stripe's own test cards have, where there is one. */
export const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['pm_card_visa', { first: 'paid', later: 'paid' }],
  ['pm_card_chargeDeclined', { first: 'declined', later: 'declined' }],
  ['pm_card_chargeDeclinedInsufficientFunds', { first: 'insufficient', later: 'insufficient' }],
  ['pm_card_chargeDeclinedExpiredCard', { first: 'expired', later: 'expired' }],
  ['pm_card_chargeCustomerFail', { first: 'paid', later: 'declined' }],
  ['pm_card_threeDSecure2Required', { first: 'confirmed', later: 'paid' }],
  ['pm_card_authenticationRequired', { first: 'confirmed', later: 'needs_owner' }],
  ['pm_card_threeDSecureFailed', { first: 'unconfirmed', later: 'declined' }],
  ['pm_card_createDispute', { first: 'paid', later: 'paid', isDisputed: true }],
  ['pm_card_paidOutInDollars', { first: 'paid', later: 'paid', exchangeRate: 1.25 }],
  ['pm_ideal', { first: 'confirmed', later: 'paid', type: 'ideal' }],
  ['pm_paypal', { first: 'confirmed', later: 'paid', type: 'paypal' }],
  ['pm_slowBank', { first: 'processing', later: 'paid' }],
  ['pm_unreachable', { first: 'unreachable', later: 'paid' }],
])
