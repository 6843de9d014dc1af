import { Stripe } from 'stripe'
import type { Reporting } from '../gateway.ts'
import { reportingOf } from '../reporting.ts'
import { answered, refusing } from './client.ts'
import { NEEDED } from './webhooks.ts'

/** As `Gateway.check`. A key may charge without the right to read endpoints. */
export async function check(stripe: Stripe, isOurs: (address: string) => boolean): Promise<Reporting> {
  await refusing(answered(stripe.paymentIntents.list({ limit: 1 })))
  try {
    const { data } = await answered(stripe.webhookEndpoints.list({ limit: 100 }))
    const ours = data.filter(({ status, url }) => status === 'enabled' && isOurs(url))
    if (ours.length === 0) return { state: 'none' }
    return reportingOf(
      ours.flatMap(({ enabled_events: events }) => events),
      NEEDED,
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return { state: 'unknown' }
    throw error
  }
}
