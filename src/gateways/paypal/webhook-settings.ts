import { found, type Paypal } from './client.ts'

interface Webhook {
  readonly url?: string
  readonly event_types?: readonly { readonly name?: string }[]
}

/** Where a webhook of the app reports, and which events; null when there is none with this id. */
export async function readWebhookSettings(
  paypal: Paypal,
  id: string,
): Promise<{ readonly address: string; readonly events: readonly string[] } | null> {
  const webhook = await found(paypal.get<Webhook>(`/v1/notifications/webhooks/${id}`))
  if (webhook === null) return null
  const { url: address = '', event_types: types = [] } = webhook
  return { address, events: types.map(({ name = '' }) => name) }
}
