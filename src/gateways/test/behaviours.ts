import type { DeclineReason, DisputeState, RefundOutcome } from '../gateway.ts'

/** What the buyer's bank says; `confirmed` and `unconfirmed` once the buyer came back from confirming. */
export type Answer =
  'paid' | 'confirmed' | 'unconfirmed' | 'pending' | 'declined' | 'insufficient_funds' | 'expired'

export interface Behaviour {
  readonly first: Answer | 'unreachable'
  /** Of a charge of the stored method; a number: declined before this attempt. */
  readonly later: Answer | 'unreachable' | number
  readonly isSlow: boolean
  readonly dispute: DisputeState | null
  readonly refund: RefundOutcome['outcome']
}

const succeeds: Behaviour = { first: 'paid', later: 'paid', isSlow: false, dispute: null, refund: 'refunded' }
const at = (first: Behaviour['first']): Behaviour => ({ ...succeeds, first, later: first })
const later = (answer: Behaviour['later']): Behaviour => ({ ...succeeds, later: answer })

/**
 * Token → what happens (`docs/decisions.md` 5.11). `test_renewal_…`: paid at first, what it says when charged later.
 */
const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map([
  ['test_succeeds', succeeds],
  ['test_declined', at('declined')],
  ['test_insufficient_funds', at('insufficient_funds')],
  ['test_expired', at('expired')],
  ['test_needs_confirmation', { ...succeeds, first: 'confirmed' }],
  ['test_confirmation_failed', { ...succeeds, first: 'unconfirmed' }],
  ['test_pending', { ...succeeds, first: 'pending' }],
  ['test_slow', { ...succeeds, isSlow: true }],
  ['test_unreachable', at('unreachable')],
  ['test_disputed', { ...succeeds, dispute: 'open' }],
  ['test_dispute_won', { ...succeeds, dispute: 'won' }],
  ['test_dispute_lost', { ...succeeds, dispute: 'lost' }],
  ['test_refund_pending', { ...succeeds, refund: 'pending' }],
  ['test_refund_refused', { ...succeeds, refund: 'refused' }],
  ['test_renewal_declined', later('declined')],
  ['test_renewal_insufficient_funds', later('insufficient_funds')],
  ['test_renewal_expired', later('expired')],
  ['test_renewal_needs_confirmation', later('confirmed')],
  ['test_renewal_pending', later('pending')],
  ['test_renewal_unreachable', later('unreachable')],
  ['test_renewal_attempt_2', later(2)],
  ['test_renewal_attempt_3', later(3)],
  ['test_renewal_attempt_4', later(4)],
])

/** What a token stands for; undefined when there is none such. */
export const behaviourOf = (token: string): Behaviour | undefined => BEHAVIOURS.get(token)

/**
 * The answer to a charge of the stored method; the attempt is the last number of the key (`docs/decisions.md` 5.11).
 */
export function laterAnswer({ later: answer }: Behaviour, key: string): Answer | 'unreachable' {
  if (typeof answer !== 'number') return answer
  const [, attempt = '1'] = /:(\d+)$/.exec(key) ?? []
  return Number(attempt) < answer ? 'declined' : 'paid'
}

const MESSAGES: Readonly<Record<DeclineReason, string>> = {
  declined: 'The payment was declined.',
  insufficient_funds: 'There is not enough money on the account.',
  expired: 'The card has expired.',
  confirmation_failed: 'The payment was not confirmed.',
  confirmation_needed: 'The bank wants you to confirm the payment.',
  invalid_method: 'There is no such method of payment.',
}

/** Whether an answer is a no. */
export const isDecline = (answer: string): answer is DeclineReason => Object.hasOwn(MESSAGES, answer)

export const messageOf = (reason: DeclineReason): string => MESSAGES[reason]
