import { toUtcTime } from '../../lib/time.ts'
import { GatewayUnreachable, type ChargeState } from '../gateway.ts'
import type { Event, Link } from './api.ts'
import { linked } from './api.ts'
import { retrieveCharge } from './charges.ts'
import type { Paypal } from './client.ts'
import { named } from './names.ts'
import { orderOfCapture } from './captures.ts'
import { nameOf, readOrder } from './orders.ts'
import { readWebhookSettings } from './webhook-settings.ts'

/** What tells that an order was paid, or may be; what is declined is as good as never made. */
const TOLD = ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.PENDING'] as const

/** More than any shop has within the days in which a charge is looked for. */
const PAGES = 1_000

interface Asked {
  readonly webhookId: string
  readonly key: string
  /** When it was asked for first, milliseconds. */
  readonly begun: number
}

/**
 * The charge that was asked for with a key, among what PayPal has reported since, as orders cannot be searched. Null
 * when there is none. `GatewayUnreachable` where PayPal is not set to report it, so that nothing is concluded from it.
 */
export async function findCharge(
  paypal: Paypal,
  { webhookId, key, begun }: Asked,
): Promise<ChargeState | null> {
  await requireReports(paypal, webhookId)
  const name = named(key)
  for (const type of TOLD) {
    for await (const { resource } of eventsOf(paypal, type, begun)) {
      if (resource['custom_id'] !== name || typeof resource['id'] !== 'string') continue
      const order = await orderOfCapture(paypal, resource['id'])
      const state = order && (await retrieveCharge(paypal, order.id))
      if (state) return state
    }
  }
  return null
}

/** The charge that was asked for with a key, by the id of its order or of what was captured of it; null: another. */
export async function shownCharge(paypal: Paypal, key: string, shownId: string): Promise<ChargeState | null> {
  const order = (await orderOfCapture(paypal, shownId)) ?? (await readOrder(paypal, shownId))
  return order && nameOf(order) === named(key) ? retrieveCharge(paypal, order.id) : null
}

async function requireReports(paypal: Paypal, webhookId: string): Promise<void> {
  const { events = [] } = (await readWebhookSettings(paypal, webhookId)) ?? {}
  if (!events.includes('*') && !TOLD.every((type) => events.includes(type)))
    throw new GatewayUnreachable(`The webhook at PayPal does not report ${TOLD.join(' and ')}.`)
}

/** What clocks may differ by. */
const MARGIN_MS = 10 * 60_000

async function* eventsOf(paypal: Paypal, type: string, begun: number) {
  const since = `${toUtcTime(begun - MARGIN_MS).replace(' ', 'T')}Z`
  const query = new URLSearchParams({ event_type: type, start_time: since, page_size: '100' })
  let path: string | null = `/v1/notifications/webhooks-events?${query}`
  for (let page = 0; path !== null; page++) {
    if (page === PAGES) throw new GatewayUnreachable('PayPal lists more than can be looked through.')
    const listed: { readonly events?: readonly Event[]; readonly links?: readonly Link[] } =
      await paypal.get(path)
    yield* listed.events ?? []
    const next = linked(listed.links, 'next')
    path = next === null ? null : pathOf(next)
  }
}

/** Of a link only the path is taken: what follows goes where everything goes. */
function pathOf(href: string): string {
  const { pathname, search } = new URL(href)
  return pathname + search
}
