import { Stripe } from 'stripe'
import type { StripeConfig } from '../../lib/stripe-settings.ts'
import { SECOND } from '../../lib/time.ts'
import { GatewayRefused, GatewayUnreachable } from '../gateway.ts'

/** How long and how often Stripe is asked; a call takes at most `(retries + 1) × timeoutMs` and a few seconds. */
export interface Patience {
  readonly timeoutMs: number
  readonly retries: number
}

export const PATIENCE: Patience = { timeoutMs: 20 * SECOND, retries: 2 }

/** For who waits at a terminal, and for nothing that moves money. */
export const AT_ONCE: Patience = { timeoutMs: 5 * SECOND, retries: 0 }

/** The client of the library; it repeats by itself what was not answered, with the same key. */
export function stripeClient({ secretKey, apiBase }: StripeConfig, patience: Patience): Stripe {
  const { timeoutMs: timeout, retries: maxNetworkRetries } = patience
  return new Stripe(secretKey, { timeout, maxNetworkRetries, telemetry: false, ...(apiBase && at(apiBase)) })
}

function at(apiBase: string) {
  const { hostname: host, port, protocol } = new URL(apiBase)
  const isHttp = protocol === 'http:'
  return { host, port: port || (isHttp ? '80' : '443'), protocol: isHttp ? 'http' : 'https' } as const
}

const RATE_LIMITED = 429
const CONFLICT = 409
const BROKEN = 500

/**
 * The answer of a call. `GatewayUnreachable` when there is none: no connection, no time, too many calls, a fault
 * at Stripe, or the same key still in work. Whatever Stripe refuses is thrown as the library's own error.
 */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (isNoAnswer(cause)) throw new GatewayUnreachable('Stripe did not answer.', { cause })
    throw cause
  }
}

function isNoAnswer(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0
  return status === RATE_LIMITED || status === CONFLICT || status >= BROKEN
}

/**
 * The answer of a call that moves money: `GatewayRefused` when Stripe has not done it. Without a right to ask nobody
 * learns what was done with the key before; what is malformed never was done, as a key that was is answered by what it
 * did.
 */
export async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    const { StripeAuthenticationError, StripePermissionError, StripeInvalidRequestError } = Stripe.errors
    if (cause instanceof StripeInvalidRequestError) throw new GatewayRefused(true, cause)
    if (cause instanceof StripeAuthenticationError || cause instanceof StripePermissionError)
      throw new GatewayRefused(false, cause)
    throw cause
  }
}

/** The answer as `answered` gives it, null when there is nothing by this id. */
export async function found<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await answered(call)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return null
    throw error
  }
}
