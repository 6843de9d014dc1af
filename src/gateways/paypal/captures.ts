import { linked, type Capture, type Link, type Order } from './api.ts'
import { found, type Paypal } from './client.ts'
import { readOrder } from './orders.ts'

const ID = /^[A-Z0-9-]{1,36}$/i

/** The order of ours or of others that was captured so; null when there is none. */
export async function orderOfCapture(paypal: Paypal, id: string): Promise<Order | null> {
  if (!ID.test(id)) return null
  const capture = await found(paypal.get<Capture>(`/v2/payments/captures/${id}`))
  const orderId = capture?.supplementary_data?.related_ids?.order_id ?? idIn(capture?.links)
  return orderId === null || orderId === undefined ? null : readOrder(paypal, orderId)
}

/** The id of what a resource was made of, as its link `up` tells. */
export function idIn(links: readonly Link[] | undefined): string | null {
  const href = linked(links, 'up')
  return href === null ? null : (/\/([A-Za-z0-9-]+)$/.exec(href)?.[1] ?? null)
}
