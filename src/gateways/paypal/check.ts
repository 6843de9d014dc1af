import type { Reporting } from '../gateway.ts'
import { reportingOf } from '../reporting.ts'
import { PaypalRefusal, type Paypal } from './client.ts'
import { readWebhookSettings } from './webhook-settings.ts'
import { NEEDED } from './webhooks.ts'

/** As `Gateway.check`: the token that is asked for first tells of the credentials. */
export async function check(
  paypal: Paypal,
  webhookId: string,
  isOurs: (address: string) => boolean,
): Promise<Reporting> {
  try {
    const webhook = await readWebhookSettings(paypal, webhookId)
    if (webhook === null) return { state: 'none' }
    const { address, events } = webhook
    return isOurs(address) ? reportingOf(events, NEEDED) : { state: 'elsewhere', address }
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 403) return { state: 'unknown' }
    throw error
  }
}
