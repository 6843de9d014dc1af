import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import type { Config } from '../../config.ts'
import { networkCheck } from '../../lib/networks.ts'
import { errorText } from '../../lib/error-text.ts'
import { addressIn, isLocalName, isPublicAddress } from '../../lib/public-address.ts'
import { SECOND } from '../../lib/time.ts'
import { VERSION } from '../../lib/version.ts'
import { nameResolver, type Resolve } from './names.ts'

const CONNECT_MS = 5 * SECOND
const TOTAL_MS = 15 * SECOND
/** A timer that is so late says that the process stood still. */
const STILL_MS = SECOND / 2
const HEADER_BYTES = 16 * 1024
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024
const IDLE_MS = 4 * SECOND
const OLDEST_MS = 60 * SECOND

/** One existing receiver looks for the second token (`docs/decisions.md` 6.4). */
const USER_AGENT = `Keywright/${VERSION} (compatible; Freemius/1.0)`

/** What came of a POST. */
export interface Posted {
  /** Null when there was no answer. */
  readonly status: number | null
  /** The first 4 KiB of the answer. */
  readonly answer: string | null
  readonly retryAfter: string | null
  /** Why there was no answer, or not all of it. */
  readonly error: string | null
  readonly durationMs: number
}

export interface Letter {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Poster {
  /** Throws only when it is cut off; follows no redirect, and takes at most 15 seconds (`docs/decisions.md` 6.4). */
  post(letter: Letter, cut?: AbortSignal): Promise<Posted>
}

class AddressRefused extends Error {}

/** Which addresses may be called: public ones, those of the configuration, and in development this machine. */
function permittedBy({
  mode,
  webhookAllow,
}: Pick<Config, 'mode' | 'webhookAllow'>): (address: string) => boolean {
  const loopback = mode === 'development' ? ['127.0.0.0/8', '::1/128'] : []
  const isListed = networkCheck([...webhookAllow, ...loopback])
  return (address) => isPublicAddress(address) || isListed(address)
}

/** Whether a URL says by itself that it may not be called; what its name stands for is checked at each connection. */
export function isRefused(url: string, config: Pick<Config, 'mode' | 'webhookAllow'>): boolean {
  const isPermitted = permittedBy(config)
  const address = addressIn(url)
  if (address !== null) return !isPermitted(address)
  return isLocalName(new URL(url).hostname) && !isPermitted('127.0.0.1') && !isPermitted('::1')
}

interface Manner {
  readonly resolve?: Resolve
  readonly totalMs?: number
  /** No connection is used again that is older, so that its address is looked at anew. */
  readonly oldestMs?: number
}

/**
 * Posts to addresses that may be called. A name is resolved once for a connection, and the connection goes to what
 * was checked (`docs/decisions.md` 6.8). The HTTP client is loaded at the first call.
 */
export function poster(
  config: Pick<Config, 'mode' | 'webhookAllow'>,
  { resolve = nameResolver(), totalMs = TOTAL_MS, oldestMs = OLDEST_MS }: Manner = {},
): Poster {
  const isPermitted = permittedBy(config)
  const free: Deadline[] = []
  let making: Promise<Agent> | undefined
  return {
    async post(letter, cut) {
      const startedAt = performance.now()
      const agent = await (making ??= agentFor(isPermitted, resolve, oldestMs))
      const deadline = free.pop() ?? new Deadline(totalMs)
      const posted = await deadline.during(cut, (signal) => attempt(agent, letter, signal))
      free.push(deadline)
      cut?.throwIfAborted()
      return { ...posted, durationMs: Math.round(performance.now() - startedAt) }
    },
  }
}

async function agentFor(
  isPermitted: (address: string) => boolean,
  resolve: Resolve,
  oldestMs: number,
): Promise<Agent> {
  const { Agent: Client, buildConnector } = await import('undici')
  const lookup = checkedLookup(isPermitted, resolve)
  const connect = buildConnector({ timeout: CONNECT_MS, allowH2: false, lookup })
  return new Client({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPermitted(host)) callback(refused(host), null)
      else connect(options, callback)
    },
    // Listeners at one address share nothing, and how many posts each has on their way is bound by its batches.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: oldestMs,
    clientTtl: oldestMs,
    // The deadline of a post is its only one.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_BYTES,
  })
}

const refused = (host: string) =>
  new AddressRefused(`${host} is no address of the internet, and KEYWRIGHT_WEBHOOK_ALLOW does not list it.`)

/** Hands on only the addresses that may be called. */
function checkedLookup(isPermitted: (address: string) => boolean, resolve: Resolve): LookupFunction {
  return (host, options, answer) => {
    const hand = (found: readonly LookupAddress[]) => {
      const permitted = found.filter(({ address }) => isPermitted(address))
      const [first] = permitted
      if (first === undefined) answer(refused(host), '', 0)
      else if (options.all) answer(null, permitted)
      else answer(null, first.address, first.family)
    }
    resolve(host).then(hand, (error: Error) => answer(error, '', 0))
  }
}

/** Ends a post that takes too long or is cut. It is used again and again: to make one costs as much as to sign. */
class Deadline {
  #ending = new AbortController()
  #isUsed = false
  #setAt = performance.now()
  readonly #totalMs: number
  readonly #timer: NodeJS.Timeout

  constructor(totalMs: number) {
    this.#totalMs = totalMs
    this.#timer = setTimeout(() => this.#ring(), totalMs).unref()
  }

  /** A process that stood still has not read what may have been answered long ago, and waits anew. */
  #ring(): void {
    const late = performance.now() - this.#setAt - this.#totalMs
    if (late > STILL_MS) this.#set()
    else this.#end(new Error(`It took longer than ${this.#totalMs / SECOND} seconds.`))
  }

  #set(): void {
    this.#setAt = performance.now()
    this.#timer.refresh()
  }

  async during<T>(cut: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#isUsed = true
    this.#set()
    const end = () => this.#end()
    cut?.addEventListener('abort', end)
    try {
      return await work(this.#ending.signal)
    } finally {
      this.#isUsed = false
      cut?.removeEventListener('abort', end)
      if (this.#ending.signal.aborted) this.#ending = new AbortController()
    }
  }

  #end(why?: Error): void {
    if (this.#isUsed) this.#ending.abort(why)
  }
}

type Attempted = Omit<Posted, 'durationMs'>

async function attempt(
  agent: Agent,
  { url, headers, body }: Letter,
  signal: AbortSignal,
): Promise<Attempted> {
  const { origin, pathname, search } = new URL(url)
  let response: Dispatcher.ResponseData
  try {
    response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      body,
      signal,
    })
  } catch (error) {
    return { status: null, answer: null, retryAfter: null, error: wordsOf(error) }
  }
  const { statusCode: status, headers: answered } = response
  const { text, error } = await start(response.body)
  const retryAfter = answered['retry-after']
  return { status, answer: text, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, error }
}

/** What an answer begins with; it is read to its end, or to where it becomes too long or takes too long. */
async function start(body: Dispatcher.ResponseData['body']): Promise<{ text: string; error: string | null }> {
  const kept: Buffer[] = []
  let read = 0
  let error: string | null = null
  try {
    for await (const chunk of body) {
      const bytes = chunk as Buffer
      if (read < KEPT_BYTES) kept.push(bytes.subarray(0, KEPT_BYTES - read))
      read += bytes.length
      if (read > READ_BYTES) {
        error = 'The answer was longer than 64 KiB.'
        break
      }
    }
  } catch (failure) {
    error = wordsOf(failure)
  }
  return { text: Buffer.concat(kept).toString().replaceAll('\0', '').toWellFormed(), error }
}

function wordsOf(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors.map(errorText).join('; ') : ''
  const text = errorText(error)
  return text === '' ? causes || 'The connection failed.' : text
}
