import type { GatewayEvent, Webhook } from '../src/gateways/gateway.ts'
import { HEADER, signature } from '../src/gateways/test/webhook.ts'
import { SECOND } from '../src/lib/time.ts'

/** A report of the test gateway as it is sent: signed, at `now` (milliseconds). */
export function testWebhook(secret: string, { event, now }: { event: GatewayEvent; now: number }): Webhook {
  const body = Buffer.from(JSON.stringify(event))
  const seconds = String(Math.floor(now / SECOND))
  return { headers: { [HEADER]: `t=${seconds},v1=${signature(secret, seconds, body)}` }, body, now }
}
