import type { Stripe } from 'stripe'
import type { DisputeState } from '../gateway.ts'
import { feeOf } from './fees.ts'

const STATES: ReadonlyMap<string, DisputeState> = new Map([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['appeal_needs_response', 'open'],
  ['appeal_under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])

/** Null for an inquiry, which takes no money, and one that was prevented. */
export const disputeState = ({ status }: Stripe.Dispute): DisputeState | null => STATES.get(status) ?? null

/** What Stripe takes for it, in minor units of its currency. */
export const disputeFee = ({ balance_transactions: transactions, currency }: Stripe.Dispute): number =>
  transactions.reduce((sum, transaction) => sum + feeOf(transaction, currency), 0)
