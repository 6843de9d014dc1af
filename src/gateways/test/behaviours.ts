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
 * Token, what happens, and what is told of it (`docs/decisions.md` 5.11, `docs/gateways.md`). `test_renewal_…`: paid at
 * first, what it says when charged later.
 */
const TOKENS: readonly (readonly [token: string, does: string, behaviour: Behaviour])[] = [
  ['test_succeeds', 'It is paid, and so is each renewal.', succeeds],
  ['test_declined', 'The bank declines it.', at('declined')],
  ['test_insufficient_funds', 'There is not enough money on the account.', at('insufficient_funds')],
  ['test_expired', 'The card has expired.', at('expired')],
  [
    'test_needs_confirmation',
    'The buyer is led away to confirm it, and it is paid.',
    { ...succeeds, first: 'confirmed' },
  ],
  [
    'test_confirmation_failed',
    'The buyer is led away to confirm it, and does not.',
    { ...succeeds, first: 'unconfirmed' },
  ],
  ['test_pending', 'The bank takes its time.', { ...succeeds, first: 'pending' }],
  ['test_slow', 'It is paid after some seconds.', { ...succeeds, isSlow: true }],
  ['test_unreachable', 'The gateway does not answer.', at('unreachable')],
  ['test_disputed', 'It is paid, and disputed a minute later.', { ...succeeds, dispute: 'open' }],
  ['test_dispute_won', 'It is paid, and a dispute of it is won.', { ...succeeds, dispute: 'won' }],
  ['test_dispute_lost', 'It is paid, and a dispute of it is lost.', { ...succeeds, dispute: 'lost' }],
  ['test_refund_pending', 'It is paid, and a refund is pending.', { ...succeeds, refund: 'pending' }],
  ['test_refund_refused', 'It is paid, and a refund is refused.', { ...succeeds, refund: 'refused' }],
  ['test_renewal_declined', 'It is paid, and each renewal is declined.', later('declined')],
  [
    'test_renewal_insufficient_funds',
    'It is paid, and there is no money for renewals.',
    later('insufficient_funds'),
  ],
  ['test_renewal_expired', 'It is paid, and the card has expired at renewals.', later('expired')],
  [
    'test_renewal_needs_confirmation',
    'It is paid, and the bank wants renewals to be confirmed.',
    later('confirmed'),
  ],
  ['test_renewal_pending', 'It is paid, and the bank takes its time at renewals.', later('pending')],
  ['test_renewal_unreachable', 'It is paid, and the gateway answers no renewal.', later('unreachable')],
  ['test_renewal_attempt_2', 'It is paid, and a renewal at its second attempt only.', later(2)],
  ['test_renewal_attempt_3', 'It is paid, and a renewal at its third attempt only.', later(3)],
  ['test_renewal_attempt_4', 'It is paid, and a renewal at its fourth attempt only.', later(4)],
]

/** Every token of the sandbox with what it does. */
export const TEST_TOKENS = TOKENS.map(([token, does]) => ({ token, does }))

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map(
  TOKENS.map(([token, _does, behaviour]) => [token, behaviour]),
)

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
