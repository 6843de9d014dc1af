import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../lib/time.ts'
import { VERSION } from '../../lib/version.ts'
import type { Cli } from '../cli.ts'
import { Failure, NO_ENTRY } from '../failure.ts'
import { isRefused, refusalOf } from './refusal.ts'

/** Where calls go. */
export interface Server {
  /** Without a slash at its end. */
  readonly url: string
  /** Null: nobody need say who they are. */
  readonly token: string | null
}

export interface Call {
  readonly method: string
  /** From `/v1` on, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object or list is sent as JSON. */
  readonly body?: unknown
  /** The answer is a file, and need not be JSON. */
  readonly isForFile?: boolean
}

export interface Reply {
  /** Of the server that has answered. */
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** Undefined: the answer is no JSON. */
  readonly json: unknown
  readonly bytes: Buffer
}

/** Who asks too often, and a server that is busy, are waited for so often, and no longer at once. */
const TRIES = 5
const LONGEST_WAIT_MS = 60 * SECOND
const FIRST_WAIT_MS = SECOND / 2
const CALM_DOWN = [429, 503]

/** So many seconds an answer is waited for, unless KEYWRIGHT_TIMEOUT says another number. */
const TIMEOUT = 120

/** As `send`; an answer that is a refusal, or that no Keywright gives, is thrown as a `Failure`. */
export async function ask(cli: Cli, server: Server, call: Call): Promise<Reply> {
  const reply = await send(cli, server, call)
  if (isRefused(reply)) throw refusalOf(reply)
  if (call.isForFile !== true && reply.json === undefined && reply.bytes.length > 0)
    throw noKeywright(server.url)
  return reply
}

/** Something else answers there, as what a host shows in the place of a server that is not set up. */
export const noKeywright = (url: string): Failure =>
  new Failure('no_keywright', `What answers at ${url} is no Keywright: look at the address.`, NO_ENTRY)

/**
 * One call, whatever is answered. Each write has an `Idempotency-Key`, so that 429 and 503 are tried again as the server
 * says when. `Failure` where nothing answers.
 */
export async function send(cli: Cli, server: Server, call: Call): Promise<Reply> {
  const key = call.method === 'GET' || call.method === 'HEAD' ? {} : { 'idempotency-key': randomUUID() }
  const headers = { ...key, ...call.headers }
  const seconds = timeoutOf(cli)
  for (let tried = 1; ; tried++) {
    const reply = await sendOnce(server, { ...call, headers }, seconds)
    const wait = waitOf(reply.headers.get('retry-after'), tried)
    if (!CALM_DOWN.includes(reply.status) || tried === TRIES || wait > LONGEST_WAIT_MS) return reply
    cli.note(`The server is busy (${reply.status}): once more in ${Math.ceil(wait / SECOND)} s.`)
    await sleep(wait)
  }
}

const waitOf = (retryAfter: string | null, tried: number): number =>
  retryAfter !== null && /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * SECOND
    : FIRST_WAIT_MS * 2 ** (tried - 1)

function timeoutOf({ env }: Cli): number {
  const { KEYWRIGHT_TIMEOUT: text } = env
  if (!text) return TIMEOUT
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new Failure('usage', 'KEYWRIGHT_TIMEOUT must be whole seconds, from 1 to 99999.', 2)
}

async function sendOnce(
  { url, token }: Server,
  { method, path, headers, body }: Call,
  seconds: number,
): Promise<Reply> {
  const isForm = body instanceof FormData
  const sent = {
    ...headersOf(token),
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    ...headers,
  }
  try {
    const response = await fetch(url + path, {
      method,
      // A token goes to no other server.
      redirect: 'manual',
      headers: sent,
      signal: AbortSignal.timeout(seconds * SECOND),
      ...(body !== undefined && { body: bodyOf(body) }),
    })
    return await replyOf(url, response)
  } catch (error) {
    throw noAnswer(url, error, seconds)
  }
}

/** An answer, read to its end. */
export async function replyOf(url: string, response: Response): Promise<Reply> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status, statusText, headers } = response
  return { url, status, statusText, headers, bytes, json: jsonOf(response, bytes) }
}

/** What every call says: who calls, and that a misspelt argument is to be told. */
export const headersOf = (token: string | null): Record<string, string> => ({
  'user-agent': `keywright-cli/${VERSION}`,
  'x-keywright-strict': '1',
  ...(token !== null && { authorization: `Bearer ${soundToken(token)}` }),
})

/** A token as a header can have it; what is none is shown in no error. */
function soundToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token
  throw new Failure('bad_token', 'The token has a space or a character that no token has.', NO_ENTRY)
}

const bodyOf = (body: unknown): FormData | string | Uint8Array<ArrayBuffer> => {
  if (body instanceof FormData || typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

function noAnswer(url: string, error: unknown, seconds: number): Failure {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Failure(
      'timeout',
      `${url} has not answered within ${seconds} s, and may still do what it was asked: look before you ask again, or wait longer with KEYWRIGHT_TIMEOUT.`,
      NO_ENTRY,
    )
  return unreachable(url, whyOf(error))
}

export const unreachable = (url: string, why = ''): Failure =>
  new Failure(
    'unreachable',
    `Nothing answers at ${url}${why}: is the server running, and the address right?`,
    NO_ENTRY,
  )

/** As ` (ECONNREFUSED)`: fetch itself says only that it failed. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
}

function jsonOf(response: Response, bytes: Buffer): unknown {
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    return undefined
  }
}
