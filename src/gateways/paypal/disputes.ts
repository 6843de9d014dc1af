import type { DisputeState } from '../gateway.ts'
import { inCurrencyOf, minorOf } from './amounts.ts'
import type { Capture, Dispute } from './api.ts'
import { PaypalRefusal, type Paypal } from './client.ts'

const OUTCOMES: ReadonlyMap<string, DisputeState> = new Map([
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
  // PayPal pays the buyer by itself.
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
])

/** Null for an inquiry, in which buyer and seller talk and no money is taken, and for an end that says nothing. */
export function disputeState(dispute: Dispute): DisputeState | null {
  if (dispute.dispute_life_cycle_stage === 'INQUIRY') return null
  if (dispute.status !== 'RESOLVED') return 'open'
  return OUTCOMES.get(dispute.dispute_outcome?.outcome_code ?? '') ?? null
}

const FEES: ReadonlySet<string> = new Set(['DISPUTE_FEE', 'CHARGEBACK_FEE', 'DISPUTE_SETTLEMENT_FEE'])

/** What PayPal takes for it, in minor units of the currency of the capture. */
export function disputeFee({ money_movements: moves = [] }: Dispute, capture: Capture): number {
  const fees = moves.filter(
    ({ affected_party: party, reason }) => party === 'SELLER' && FEES.has(reason ?? ''),
  )
  const sum = fees.reduce((total, { type, amount }) => {
    const minor = amount ? inCurrencyOf(capture, amount) : 0
    return type === 'CREDIT' ? total - minor : total + minor
  }, 0)
  return Math.max(0, sum)
}

/** What of a capture is disputed, minor units: of several captures in one dispute each as a whole. */
export function disputedOf(
  { dispute_amount: amount, disputed_transactions: of = [] }: Dispute,
  capture: Capture,
) {
  const isOne = of.length === 1 && amount?.currency_code === capture.amount.currency_code
  const all = minorOf(capture.amount)
  return isOne && amount ? Math.min(all, minorOf(amount)) : all
}

/** The dispute of a capture that counts, the last one first; null: nothing is disputed, or we may not ask. */
export async function disputeOf(paypal: Paypal, captureId: string): Promise<DisputeState | null> {
  for (const { dispute_id: id } of await disputesOf(paypal, captureId)) {
    const state = disputeState(await readDispute(paypal, id))
    if (state !== null) return state
  }
  return null
}

/** A dispute with its outcome and what was moved for it. */
export const readDispute = (paypal: Paypal, id: string): Promise<Dispute> =>
  paypal.get<Dispute>(`/v1/customer/disputes/${id}`)

async function disputesOf(paypal: Paypal, captureId: string): Promise<readonly Dispute[]> {
  const query = new URLSearchParams({ disputed_transaction_id: captureId })
  try {
    const { items = [] } = await paypal.get<{ readonly items?: readonly Dispute[] }>(
      `/v1/customer/disputes?${query}`,
    )
    return items
  } catch (error) {
    // A purchase does not fail for a right that only tells of disputes.
    if (error instanceof PaypalRefusal && error.status === 403) return []
    throw error
  }
}
