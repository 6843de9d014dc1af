import type { RefundOutcome, RefundRequest } from '../gateway.ts'
import { currencyOf, minorOf, moneyOf } from './amounts.ts'
import type { Refund } from './api.ts'
import { PaypalRefusal, type Paypal } from './client.ts'
import { named } from './names.ts'
import { captureOf, isPaid, readOrder, refundsOf } from './orders.ts'

const TOO_MUCH = [
  'REFUND_AMOUNT_EXCEEDED',
  'CAPTURE_FULLY_REFUNDED',
  'REFUND_CAPTURE_CURRENCY_MISMATCH',
] as const

/** Gives back a charge or a part of it. */
export async function refund(paypal: Paypal, request: RefundRequest): Promise<RefundOutcome> {
  const { key, chargeId, amount } = request
  const order = await readOrder(paypal, chargeId)
  const capture = order && captureOf(order)
  if (!capture || !isPaid(capture)) return refused('not_paid', 'There is no such charge, or it was not paid.')
  if (amount.currency !== currencyOf(capture.amount) || amount.minor > minorOf(capture.amount))
    return refused('exceeds_charge', 'The charge was of less, or of another currency.')
  const body = { amount: moneyOf(amount), custom_id: named(key) }
  try {
    return outcomeOf(
      await paypal.post<Refund>(`/v2/payments/captures/${capture.id}/refund`, body, named(key)),
    )
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 422) throw error
    return refused(error.has(...TOO_MUCH) ? 'exceeds_charge' : 'refused', error.message)
  }
}

/** The refund of a charge that was asked for with a key, one that failed last; null when there is none. */
export async function findRefund(
  paypal: Paypal,
  { key, chargeId }: Pick<RefundRequest, 'key' | 'chargeId'>,
): Promise<RefundOutcome | null> {
  const order = await readOrder(paypal, chargeId)
  const refunds = order ? refundsOf(order) : []
  const made = refunds.filter(({ custom_id: name }) => name === named(key)).map(outcomeOf)
  return made.find(({ outcome }) => outcome !== 'refused') ?? made[0] ?? null
}

function outcomeOf({ id, status }: Refund): RefundOutcome {
  if (status === 'FAILED' || status === 'CANCELLED')
    return refused('refused', 'The account of the buyer does not take the refund.')
  return { outcome: status === 'COMPLETED' ? 'refunded' : 'pending', externalId: id }
}

type Refusal = Extract<RefundOutcome, { outcome: 'refused' }>

const refused = (reason: Refusal['reason'], message: string): Refusal => ({
  outcome: 'refused',
  reason,
  message,
})
