import type { Agent, Dispatcher } from 'undici'
import type { Config } from '../../config.ts'
import { errorText } from '../../lib/error-text.ts'
import { SECOND } from '../../lib/time.ts'
import { VERSION } from '../../lib/version.ts'
import { guardedAgent } from './guard.ts'
import type { Resolve } from './names.ts'

const TOTAL_MS = 15 * SECOND
/** A timer that is so late says that the process stood still. */
const STILL_MS = SECOND / 2
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024

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
  { totalMs = TOTAL_MS, ...manner }: Manner = {},
): Poster {
  const free: Deadline[] = []
  let making: Promise<Agent> | undefined
  return {
    async post(letter, cut) {
      const startedAt = performance.now()
      const agent = await (making ??= guardedAgent(config, manner))
      const deadline = free.pop() ?? new Deadline(totalMs)
      const posted = await deadline.during(cut, (signal) => attempt(agent, letter, signal))
      free.push(deadline)
      cut?.throwIfAborted()
      return { ...posted, durationMs: Math.round(performance.now() - startedAt) }
    },
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
