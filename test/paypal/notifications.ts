import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Webhook } from '../../src/gateways/gateway.ts'
import { described, link, malformed, missing, type Answer, type Books, type Resource } from './books.ts'

export const WEBHOOK_ID = '8PT597110X687430L'

const CERT = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42'

interface Signed {
  readonly transmission_id: string
  readonly transmission_time: string
  readonly webhook_id: string
}

/** Stands for PayPal's own key; begins as PayPal describes that signatures do. */
const signatureOf = ({ transmission_id, transmission_time, webhook_id }: Signed, body: string) =>
  `s${createHmac('sha256', 'the key of PayPal')
    .update(`${transmission_id}|${transmission_time}|${webhook_id}|${crc32(body)}`)
    .digest('base64')}`

/** What PayPal sends, signed; by somebody else when `isForged`. */
export function signed(body: string, { now, isForged }: { now: number; isForged?: boolean }): Webhook {
  const transmission_id = `t${crypto.randomUUID()}`
  const transmission_time = new Date(now).toISOString()
  const webhook_id = isForged ? 'OFSOMEBODY' : WEBHOOK_ID
  return {
    headers: {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': CERT,
      'paypal-transmission-id': transmission_id,
      'paypal-transmission-time': transmission_time,
      'paypal-transmission-sig': signatureOf({ transmission_id, transmission_time, webhook_id }, body),
    },
    body: Buffer.from(body),
    now,
  }
}

export function verify(raw: string, body: Resource): Answer {
  const wrong = malformed('verify_webhook_signature', body)
  if (wrong) return wrong
  const name = '"webhook_event":'
  const event = raw.slice(raw.indexOf(name) + name.length, -1)
  const isRight = body.webhook_id === WEBHOOK_ID && body.transmission_sig === signatureOf(body, event)
  const verification_status = isRight ? 'SUCCESS' : 'FAILURE'
  return described('verify_webhook_signature_response', 200, { verification_status })
}

export function readWebhook({ reports, reportsTo: url }: Books, id: string): Answer {
  if (id !== WEBHOOK_ID) return missing
  const event_types = reports.map((name) => ({ name }))
  return described('webhook', 200, { id, url, event_types })
}

/** How long PayPal lists what it reported. */
const LISTED_MS = 30 * 24 * 60 * 60_000

/** Pages of what it reported of late, the last first. */
export function listEvents(books: Books, query: URLSearchParams): Answer {
  const asked = Date.parse(query.get('start_time') ?? '')
  const since = Math.max(asked || 0, books.now() - LISTED_MS)
  const size = Number(query.get('page_size') ?? 10)
  const from = Number(query.get('next_page') ?? 0)
  const all = books.events.filter(
    ({ event_type: type, create_time: at }) =>
      type === query.get('event_type') && !(Date.parse(at) < since) && isReported(books, type),
  )
  const events = all.slice(from, from + size)
  query.set('next_page', String(from + size))
  const next = link('next', `/v1/notifications/webhooks-events?${query}`)
  const links = from + size < all.length ? [next] : []
  return described('EventList', 200, { events, count: events.length, links })
}

const isReported = ({ reports }: Books, type: string) => reports.includes('*') || reports.includes(type)
