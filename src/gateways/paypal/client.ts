import { setTimeout as sleep } from 'node:timers/promises'
import type { PaypalConfig } from '../../lib/paypal-settings.ts'
import { SECOND } from '../../lib/time.ts'
import { GatewayRefused, GatewayUnreachable } from '../gateway.ts'
import { tokenKeeper } from './token.ts'

/** How long and how often PayPal is asked; a call takes at most `(retries + 1) × timeoutMs` and the pauses. */
export interface Patience {
  readonly timeoutMs: number
  readonly retries: number
  /** Before it is asked again. */
  readonly pauseMs: number
}

export const PATIENCE: Patience = { timeoutMs: 20 * SECOND, retries: 2, pauseMs: SECOND / 2 }

/** For who waits at a terminal, and for nothing that moves money. */
export const AT_ONCE: Patience = { timeoutMs: 5 * SECOND, retries: 0, pauseMs: 0 }

const ADDRESSES = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' } as const

/** A call that PayPal has answered with no: nothing was done. */
export class PaypalRefusal extends Error {
  override readonly name = 'PaypalRefusal'
  readonly status: number
  /** Of its `details`. */
  readonly issues: readonly string[]

  constructor(status: number, answer: Answer) {
    const details = Array.isArray(answer.details) ? answer.details : []
    const issues = details.map(({ issue }) => issue ?? '').filter((issue) => issue !== '')
    super(`PayPal answered ${status} ${[answer.name, ...issues].join(' ')} (${answer.debug_id ?? 'no id'})`)
    this.status = status
    this.issues = issues
  }

  has(...issues: readonly string[]): boolean {
    return this.issues.some((issue) => issues.includes(issue))
  }
}

interface Answer {
  readonly name?: string
  readonly debug_id?: string
  readonly details?: readonly { readonly issue?: string }[]
}

interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** JSON. */
  readonly body?: string
  readonly key?: string
}

export interface Response {
  readonly status: number
  readonly text: string
}

/** A fault at PayPal, too many calls, or the same key still in work. */
const isNoAnswer = ({ status }: Response): boolean => status === 409 || status === 429 || status >= 500

const IN_WORK = ['PREVIOUS_REQUEST_IN_PROGRESS', 'ORDER_COMPLETION_IN_PROGRESS'] as const

const noAnswer = (cause?: unknown) => new GatewayUnreachable('PayPal did not answer.', { cause })

export type Paypal = ReturnType<typeof paypalClient>

/**
 * Calls PayPal with a token that it renews. What was not answered is asked for again, under the same key, and then is
 * `GatewayUnreachable`; `PaypalRefusal` for what PayPal refuses.
 */
export function paypalClient(config: PaypalConfig, patience: Patience) {
  const base = config.apiBase ?? ADDRESSES[config.mode]
  const send = (path: string, init: RequestInit) => sent(base + path, init, patience.timeoutMs)
  const tokens = tokenKeeper(config, send)

  async function once({ method, path, body, key }: Ask): Promise<Response> {
    const isFirst = [true, false]
    for (const mayRenew of isFirst) {
      const token = await tokens.get()
      const response = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
          ...(key !== undefined && { 'paypal-request-id': key }),
        },
        ...(body !== undefined && { body }),
      })
      if (response.status !== 401 || !mayRenew) return response
      tokens.drop(token)
    }
    throw noAnswer()
  }

  async function ask<T>(asked: Ask): Promise<T> {
    for (let left = patience.retries; ; left--) {
      try {
        return answerOf<T>(await once(asked))
      } catch (error) {
        if (!(error instanceof GatewayUnreachable) || left === 0) throw error
        await sleep(patience.pauseMs)
      }
    }
  }

  return {
    get: <T>(path: string): Promise<T> => ask<T>({ method: 'GET', path }),
    /** `key` is its idempotency key. */
    post: <T>(path: string, body: object, key?: string): Promise<T> =>
      ask<T>({ method: 'POST', path, body: JSON.stringify(body), ...(key !== undefined && { key }) }),
    postText: <T>(path: string, body: string): Promise<T> => ask<T>({ method: 'POST', path, body }),
    patch: (path: string, body: object): Promise<unknown> =>
      ask<unknown>({ method: 'PATCH', path, body: JSON.stringify(body) }),
  }
}

async function sent(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'error', signal })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw noAnswer(cause)
  }
}

function answerOf<T>(response: Response): T {
  const { status, text } = response
  if (isNoAnswer(response)) throw noAnswer(new Error(`PayPal answered ${status}.`))
  if (status < 400) return (text === '' ? null : parsed(text)) as T
  const refusal = new PaypalRefusal(status, refusedBy(text))
  throw refusal.has(...IN_WORK) ? noAnswer(refusal) : refusal
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw noAnswer(cause)
  }
}

function refusedBy(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {}
  } catch {
    return {}
  }
}

/**
 * The answer of a call that moves money: `GatewayRefused` when PayPal has not done it. Without a right to ask nobody
 * learns what was done with the key before; what is malformed never was done.
 */
export async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (!(cause instanceof PaypalRefusal)) throw cause
    throw new GatewayRefused(cause.status !== 401 && cause.status !== 403, cause)
  }
}

/** The answer, null when there is nothing by this id. */
export async function found<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return null
    throw error
  }
}
