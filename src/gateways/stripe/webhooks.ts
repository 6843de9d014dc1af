import { Stripe } from 'stripe'
import { ApiError } from '../../lib/errors.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import type { GatewayEvent, Webhook } from '../gateway.ts'
import { outcomeOf, retrieveIntent } from './charges.ts'
import { answered } from './client.ts'
import { disputeFee, disputeState } from './disputes.ts'
import { idOf } from './methods.ts'

const TOLERANCE = 5 * MINUTE

/**
 * What a webhook reports. Stripe sends events repeatedly and in any order, so what they are about is read anew:
 * an event tells that something changed, and its answer how that stands now.
 */
export async function readWebhook(
  { stripe, secret }: { readonly stripe: Stripe; readonly secret: string },
  webhook: Webhook,
): Promise<readonly GatewayEvent[] | null> {
  const signed = signedEvent(stripe, secret, webhook)
  if (signed === null) return null
  if (!isEvent(signed.event)) throw noEvent()
  return reported(stripe, signed.event)
}

/** Null when it was not signed with this secret, or more than five minutes from `now`. */
function signedEvent(
  stripe: Stripe,
  secret: string,
  { headers, body, now }: Webhook,
): { readonly event: Stripe.Event } | null {
  const header = headers['stripe-signature'] ?? ''
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]) * SECOND
  if (!(Math.abs(now - signedAt) <= TOLERANCE)) return null
  try {
    return {
      event: stripe.webhooks.constructEvent(body, header, secret, TOLERANCE / SECOND, undefined, now),
    }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    // The signature is checked first, and what was signed is then read as JSON.
    if (error instanceof SyntaxError) throw noEvent()
    throw error
  }
}

/** What was signed may be any JSON. */
const isEvent = (event: unknown): boolean =>
  isObject(event) &&
  typeof event['type'] === 'string' &&
  isObject(event['data']) &&
  isObject(event['data']['object'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const noEvent = () => new ApiError(400, 'invalid_json', 'What the gateway signed is no event.')

/** What an event is about; whatever is not here tells nothing that is kept. */
const SUBJECTS: ReadonlyMap<string, Subject> = new Map(
  Object.entries({
    'payment_intent.succeeded': chargeEvents,
    'payment_intent.payment_failed': chargeEvents,
    'payment_intent.canceled': chargeEvents,
    'refund.created': refundEvents,
    'refund.updated': refundEvents,
    'refund.failed': refundEvents,
    'charge.refund.updated': refundEvents,
    'charge.dispute.created': disputeEvents,
    'charge.dispute.updated': disputeEvents,
    'charge.dispute.closed': disputeEvents,
    'charge.dispute.funds_withdrawn': disputeEvents,
    'charge.dispute.funds_reinstated': disputeEvents,
  }),
)

/** What an endpoint must be set to report: of refunds one of two names is enough. */
export const NEEDED: readonly string[] = [...SUBJECTS.keys()].filter(
  (type) => type !== 'charge.refund.updated',
)

type Subject = (stripe: Stripe, event: Stripe.Event, id: string) => Promise<GatewayEvent[]>

async function reported(stripe: Stripe, event: Stripe.Event): Promise<readonly GatewayEvent[]> {
  const { object } = event.data
  const read = SUBJECTS.get(event.type)
  return read && 'id' in object && typeof object.id === 'string' ? read(stripe, event, object.id) : []
}

const about = ({ id, created }: Stripe.Event, chargeId: string) => ({ id, at: created * SECOND, chargeId })

async function chargeEvents(stripe: Stripe, event: Stripe.Event, id: string): Promise<GatewayEvent[]> {
  const intent = await retrieveIntent(stripe, id)
  if (!intent) return []
  const { key } = intent.metadata
  return [{ ...about(event, id), type: 'charge', charge: outcomeOf(intent), ...(key && { key }) }]
}

async function refundEvents(stripe: Stripe, event: Stripe.Event, id: string): Promise<GatewayEvent[]> {
  const refund = await answered(stripe.refunds.retrieve(id))
  const chargeId = idOf(refund.payment_intent)
  const state = REFUND_STATES.get(refund.status ?? '')
  if (chargeId === null || state === undefined) return []
  return [{ ...about(event, chargeId), type: 'refund', refundId: id, minor: refund.amount, state }]
}

const REFUND_STATES: ReadonlyMap<string, 'refunded' | 'failed'> = new Map([
  ['succeeded', 'refunded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

async function disputeEvents(stripe: Stripe, event: Stripe.Event, id: string): Promise<GatewayEvent[]> {
  const dispute = await answered(stripe.disputes.retrieve(id))
  const chargeId = idOf(dispute.payment_intent)
  const state = disputeState(dispute)
  if (chargeId === null || state === null) return []
  const fee = disputeFee(dispute)
  return [{ ...about(event, chargeId), type: 'dispute', state, minor: dispute.amount, fee }]
}
