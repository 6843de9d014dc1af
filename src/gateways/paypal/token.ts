import type { PaypalConfig } from '../../lib/paypal-settings.ts'
import { SECOND } from '../../lib/time.ts'
import { GatewayRefused, GatewayUnreachable } from '../gateway.ts'
import type { Response } from './client.ts'

/** A token is renewed so long before its end that no call with it comes too late. */
const BEFORE_END_MS = 60 * SECOND

interface Held {
  readonly token: string
  /** By `performance.now()`. */
  readonly until: number
}

type Send = (path: string, init: RequestInit) => Promise<Response>

/**
 * Keeps the token of an app in memory, and asks for another one before its end or when it is dropped; of any number of
 * callers at once one asks. As the client, `GatewayUnreachable`; `GatewayRefused` for wrong credentials.
 */
export function tokenKeeper({ clientId, clientSecret }: PaypalConfig, send: Send) {
  let held: Held | null = null
  let asking: Promise<Held> | null = null
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')

  async function asked(): Promise<Held> {
    const begun = performance.now()
    const response = await send('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    return heldBy(response, begun)
  }

  return {
    async get(): Promise<string> {
      if (held && performance.now() < held.until) return held.token
      asking ??= asked().finally(() => (asking = null))
      held = await asking
      return held.token
    },
    /** Nobody uses it again. */
    drop(token: string): void {
      if (held?.token === token) held = null
    },
  }
}

function heldBy({ status, text }: Response, begun: number): Held {
  if (status >= 400 && status < 500 && status !== 429)
    throw new GatewayRefused(false, new Error(`PayPal does not take the credentials: ${status}.`))
  if (status !== 200) throw new GatewayUnreachable('PayPal gives no token.')
  const { access_token: token, expires_in: seconds } = tokenIn(text)
  if (typeof token !== 'string' || typeof seconds !== 'number')
    throw new GatewayUnreachable('PayPal gives no token.')
  return { token, until: begun + seconds * SECOND - BEFORE_END_MS }
}

function tokenIn(text: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  try {
    return JSON.parse(text) as object
  } catch (cause) {
    throw new GatewayUnreachable('PayPal gives no token.', { cause })
  }
}
