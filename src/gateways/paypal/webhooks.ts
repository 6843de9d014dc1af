import { ApiError } from '../../lib/errors.ts'
import { MINUTE } from '../../lib/time.ts'
import type { GatewayEvent, Webhook } from '../gateway.ts'
import { minorOf } from './amounts.ts'
import type { Event, Order, Refund } from './api.ts'
import { idIn, orderOfCapture } from './captures.ts'
import { found, PaypalRefusal, type Paypal } from './client.ts'
import { disputedOf, disputeFee, disputeOf, disputeState, readDispute } from './disputes.ts'
import { keyOf } from './names.ts'
import { captureOf, isOurs, nameOf, outcomeOf, readOrder, settled } from './orders.ts'

const TOLERANCE = 5 * MINUTE

/** What PayPal's call that verifies is told of the headers. */
const HEADERS = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const

/**
 * What a webhook reports. PayPal says itself whether it sent it. It sends events repeatedly and in any order, so what
 * they are about is read anew: an event tells that something changed, and its answer how that stands now.
 */
export async function readWebhook(
  { paypal, webhookId }: { readonly paypal: Paypal; readonly webhookId: string },
  webhook: Webhook,
): Promise<readonly GatewayEvent[] | null> {
  const event = eventIn(webhook)
  if (event === null || !(await isSigned(paypal, webhookId, webhook))) return null
  if (!isEvent(event)) throw new ApiError(400, 'invalid_json', 'What the gateway signed is no event.')
  return reported(paypal, event)
}

/** The object in a body; null when it is none, or was sent more than five minutes from `now`. */
function eventIn({ headers, body, now }: Webhook): object | null {
  const sentAt = Date.parse(headers[HEADERS.transmission_time] ?? '')
  if (!(Math.abs(now - sentAt) <= TOLERANCE)) return null
  try {
    const event = JSON.parse(body.toString()) as unknown
    return isObject(event) ? event : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body goes as it came: it is what was signed. */
async function isSigned(paypal: Paypal, webhookId: string, { headers, body }: Webhook): Promise<boolean> {
  const parts = Object.entries(HEADERS).map(([name, header]) => [name, headers[header] ?? ''])
  if (parts.some(([, value]) => value === '')) return false
  const told = JSON.stringify({ ...Object.fromEntries(parts), webhook_id: webhookId })
  try {
    const { verification_status: status } = await paypal.postText<{ readonly verification_status?: string }>(
      '/v1/notifications/verify-webhook-signature',
      `${told.slice(0, -1)},"webhook_event":${body.toString()}}`,
    )
    return status === 'SUCCESS'
  } catch (error) {
    if (error instanceof PaypalRefusal && (error.status === 400 || error.status === 422)) return false
    throw error
  }
}

const isEvent = (event: object): event is Event =>
  'id' in event &&
  typeof event.id === 'string' &&
  'event_type' in event &&
  typeof event.event_type === 'string' &&
  'create_time' in event &&
  Number.isFinite(Date.parse(String(event.create_time))) &&
  'resource' in event &&
  isObject(event.resource)

type Subject = (paypal: Paypal, event: Event, id: string) => Promise<GatewayEvent[]>

/** What an event is about; whatever is not here tells nothing that is kept. */
const SUBJECTS: ReadonlyMap<string, Subject> = new Map(
  Object.entries({
    'CHECKOUT.ORDER.APPROVED': orderEvents,
    'PAYMENT.CAPTURE.COMPLETED': captureEvents,
    'PAYMENT.CAPTURE.PENDING': captureEvents,
    'PAYMENT.CAPTURE.DECLINED': captureEvents,
    'PAYMENT.CAPTURE.DENIED': captureEvents,
    'PAYMENT.CAPTURE.REFUNDED': refundEvents,
    'PAYMENT.REFUND.FAILED': refundEvents,
    'PAYMENT.CAPTURE.REVERSED': reversalEvents,
    'CUSTOMER.DISPUTE.CREATED': disputeEvents,
    'CUSTOMER.DISPUTE.UPDATED': disputeEvents,
    'CUSTOMER.DISPUTE.RESOLVED': disputeEvents,
  }),
)

/** What the webhook must be set to report. */
export const NEEDED: readonly string[] = [...SUBJECTS.keys()]

async function reported(paypal: Paypal, event: Event): Promise<readonly GatewayEvent[]> {
  const id = event.resource['id'] ?? event.resource['dispute_id']
  const read = SUBJECTS.get(event.event_type)
  return read && typeof id === 'string' && /^[\w-]{1,255}$/.test(id) ? read(paypal, event, id) : []
}

const about = ({ id, create_time: at }: Event, chargeId: string) => ({ id, at: Date.parse(at), chargeId })

async function captureEvents(paypal: Paypal, event: Event, id: string): Promise<GatewayEvent[]> {
  return chargeEvents(paypal, event, await orderOfCapture(paypal, id))
}

async function orderEvents(paypal: Paypal, event: Event, id: string): Promise<GatewayEvent[]> {
  return chargeEvents(paypal, event, await readOrder(paypal, id))
}

/** A buyer who approves and does not come back has bought all the same. */
async function chargeEvents(paypal: Paypal, event: Event, order: Order | null): Promise<GatewayEvent[]> {
  if (!order || !isOurs(order)) return []
  const key = keyOf(nameOf(order))
  const charge = outcomeOf(await settled(paypal, order))
  return [{ ...about(event, order.id), type: 'charge', charge, ...(key !== null && { key }) }]
}

const REFUND_STATES: ReadonlyMap<string, 'refunded' | 'failed'> = new Map([
  ['COMPLETED', 'refunded'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
])

async function refundEvents(paypal: Paypal, event: Event, id: string): Promise<GatewayEvent[]> {
  const refund = await found(paypal.get<Refund>(`/v2/payments/refunds/${id}`))
  const captureId = refund && idIn(refund.links)
  const order = captureId === null ? null : await orderOfCapture(paypal, captureId)
  const state = REFUND_STATES.get(refund?.status ?? '')
  if (!refund || !order || state === undefined) return []
  return [{ ...about(event, order.id), type: 'refund', refundId: id, minor: minorOf(refund.amount), state }]
}

/** What PayPal takes back for a dispute is told with that. */
async function reversalEvents(paypal: Paypal, event: Event, id: string): Promise<GatewayEvent[]> {
  const refund = await found(paypal.get<Refund>(`/v2/payments/refunds/${id}`))
  const captureId = refund && idIn(refund.links)
  if (captureId === null || (await disputeOf(paypal, captureId)) !== null) return []
  return refundEvents(paypal, event, id)
}

async function disputeEvents(paypal: Paypal, event: Event, id: string): Promise<GatewayEvent[]> {
  const dispute = await readDispute(paypal, id)
  const state = disputeState(dispute)
  if (state === null) return []
  const events: GatewayEvent[] = []
  for (const { seller_transaction_id: captureId = '' } of dispute.disputed_transactions ?? []) {
    const order = await orderOfCapture(paypal, captureId)
    const capture = order && captureOf(order)
    if (!capture) continue
    const parts = { minor: disputedOf(dispute, capture), fee: disputeFee(dispute, capture) }
    events.push({ ...about(event, order.id), type: 'dispute', state, ...parts })
  }
  return events
}
