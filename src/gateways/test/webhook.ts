import { createHmac } from 'node:crypto'
import { sameText } from '../../lib/credentials.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import type { GatewayEvent, Webhook } from '../gateway.ts'

/** Names the signature of a report of the test gateway. */
export const HEADER = 'x-test-gateway-signature'
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

/** The event of a report; null when it is not signed with this secret, or not within five minutes of `now`. */
export function readTestWebhook(
  secret: string,
  { headers, body, now }: Webhook,
): readonly GatewayEvent[] | null {
  const [, seconds, given] = SIGNATURE.exec(headers[HEADER] ?? '') ?? []
  if (seconds === undefined || given === undefined) return null
  if (Math.abs(now - Number(seconds) * SECOND) > 5 * MINUTE) return null
  if (!sameText(given, signature(secret, seconds, body))) return null
  return [JSON.parse(body.toString()) as GatewayEvent]
}

/** What signs a report: of `seconds` since the epoch and its body. */
export const signature = (secret: string, seconds: string, body: Buffer) =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
