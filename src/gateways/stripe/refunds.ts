import { Stripe } from 'stripe'
import type { RefundOutcome, RefundRequest } from '../gateway.ts'
import { retrieveIntent } from './charges.ts'
import { answered } from './client.ts'

/** Gives back a charge or a part of it. */
export async function refund(stripe: Stripe, request: RefundRequest): Promise<RefundOutcome> {
  const { key, chargeId, amount } = request
  const intent = await retrieveIntent(stripe, chargeId)
  if (intent?.status !== 'succeeded')
    return refused('not_paid', 'There is no such charge, or it was not paid.')
  if (amount.currency !== intent.currency || amount.minor > intent.amount)
    return refused('exceeds_charge', 'The charge was of less, or of another currency.')
  try {
    const made = await answered(
      stripe.refunds.create(
        { payment_intent: chargeId, amount: amount.minor, metadata: { key } },
        { idempotencyKey: key },
      ),
    )
    return outcomeOf(made)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return refused(isTooMuch(error) ? 'exceeds_charge' : 'refused', error.message)
  }
}

/** The refund of a charge that was asked for with a key, one that failed last; null when there is none. */
export async function findRefund(
  stripe: Stripe,
  { key, chargeId }: Pick<RefundRequest, 'key' | 'chargeId'>,
): Promise<RefundOutcome | null> {
  const { data } = await answered(stripe.refunds.list({ payment_intent: chargeId, limit: 100 }))
  const made = data.filter(({ metadata }) => metadata?.['key'] === key).map(outcomeOf)
  return made.find(({ outcome }) => outcome !== 'refused') ?? made[0] ?? null
}

const isTooMuch = ({ code, param }: Stripe.errors.StripeInvalidRequestError) =>
  code === 'charge_already_refunded' || param === 'amount'

function outcomeOf({ id, status }: Stripe.Refund): RefundOutcome {
  if (status === 'failed' || status === 'canceled')
    return refused('refused', 'The bank of the buyer does not take the refund.')
  return { outcome: status === 'succeeded' ? 'refunded' : 'pending', externalId: id }
}

type Refusal = Extract<RefundOutcome, { outcome: 'refused' }>

const refused = (reason: Refusal['reason'], message: string): Refusal => ({
  outcome: 'refused',
  reason,
  message,
})
