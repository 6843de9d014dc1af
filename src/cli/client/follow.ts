import { setTimeout as sleep } from 'node:timers/promises'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorText } from '../../lib/error-text.ts'
import { SECOND } from '../../lib/time.ts'
import type { Cli } from '../cli.ts'
import { Failure } from '../failure.ts'
import { noKeywright, replyOf } from './call.ts'
import { refusalOf } from './refusal.ts'

const AGAIN_MS = SECOND

export interface Followed {
  /** Where the stream is, asked each time: a server that was started again may be elsewhere. */
  address(): Promise<string>
  readonly headers: Readonly<Record<string, string>>
  /** The place to begin after; null: from now on. */
  readonly after: string | null
  readonly stopping: AbortSignal
  /** One event after another; its place, or null where it has none or was not taken. */
  each(event: EventSourceMessage): Promise<string | null>
}

/** Reads a stream of events until it is stopped, again where it ends, from the last event on that was taken. */
export async function follow(cli: Cli, followed: Followed): Promise<void> {
  let last = followed.after
  while (!followed.stopping.aborted) {
    last = await readStream(cli, followed, last)
    await sleep(AGAIN_MS, undefined, { signal: followed.stopping }).catch(() => {})
  }
}

/** Event by event until the stream ends; the last one that was taken. */
async function readStream(cli: Cli, followed: Followed, last: string | null): Promise<string | null> {
  let seen = last
  const address = await followed.address()
  try {
    const { body, headers } = await open(address, followed, last)
    seen ??= headers.get('last-event-id')
    const arrived: EventSourceMessage[] = []
    const parser = createParser({ onEvent: (event) => void arrived.push(event) })
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      for (const event of arrived.splice(0)) seen = (await followed.each(event)) ?? seen
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (!followed.stopping.aborted)
      cli.warn('disconnected', `${sayWhy(error, new URL(address).origin)} It is tried again.`)
  }
  return seen
}

/** What is refused stays so; a server that is busy, or away, is asked again. */
async function open(address: string, { headers, stopping }: Followed, last: string | null) {
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { ...headers, ...(last !== null && { 'last-event-id': last }) },
    signal: stopping,
  })
  const { status, ok } = response
  const { origin } = new URL(address)
  if (status >= 500 || status === 429) {
    await response.body?.cancel()
    throw new Error(`The server has answered ${status}.`)
  }
  if (!ok) throw refusalOf(await replyOf(origin, response))
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw noKeywright(origin)
  return response
}

/** Fetch says of whatever went wrong on the way only that it failed. */
const sayWhy = (error: unknown, server: string): string =>
  error instanceof TypeError ? `Nothing answers at ${server}.` : errorText(error)
