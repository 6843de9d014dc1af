import type { Books, Resource } from './books.ts'

interface Named {
  readonly id: string
  /** Milliseconds. */
  readonly at: number
}

/** The text of an event of PayPal about a resource. */
export const eventText = (event_type: string, resource: Resource, { id, at }: Named): string =>
  JSON.stringify({ id, create_time: new Date(at).toISOString(), event_type, resource, summary: event_type })

/** The text in which PayPal tells that the order was captured. */
export function reportedCapture(books: Books, orderId: string, named: Named): string {
  const order = books.orders.get(orderId)
  const { id = '' } = order?.purchase_units[0].payments?.captures[0] ?? {}
  return eventText('PAYMENT.CAPTURE.COMPLETED', books.captures.get(id)?.kept ?? { id: orderId }, named)
}
