import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The secret of a listener, in the form that the libraries of Standard Webhooks take: 256 random bits. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** What the secret of a listener signs with; to be made once, as it costs five times a signature. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'))

interface Message {
  /** Does not change from attempt to attempt, so that a receiver can tell a repetition. */
  readonly id: string
  /** Seconds since the epoch, of the attempt. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The three headers of Standard Webhooks: one signature for each key, so that a receiver may change from one
 * to the other at any moment of a rotation (`docs/decisions.md` 6.4).
 */
export function standardHeaders(
  keys: readonly KeyObject[],
  { id, timestamp, body }: Message,
): Record<string, string> {
  const signed = `${id}.${timestamp}.${body}`
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** `x-signature`: lower-case hex HMAC-SHA256 of the body with the product's secret key (`docs/decisions.md` 6.4). */
export const bodySignature = (secretKey: string, body: string): string =>
  createHmac('sha256', secretKey).update(body).digest('hex')
