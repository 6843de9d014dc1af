import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { TestApp } from './app.ts'

export const streamOf = (of: TestApp) => `${of.address}/v1/products/${of.seller.product.id}/events/stream`

export interface Reader {
  readonly status: number
  readonly seen: EventSourceMessage[]
  /** Resolves when so many have come. */
  has(count: number): Promise<void>
  readonly ended: Promise<void>
  close(): void
}

/** Reads the stream of the first product's events, from now on unless told where to begin. */
export async function read(
  of: TestApp,
  { after: last, authorization = `Bearer ${of.seller.product.token}`, url = streamOf(of) }: Given = {},
): Promise<Reader> {
  const closing = new AbortController()
  const response = await fetch(url, {
    headers: { authorization, ...(last !== undefined && { 'last-event-id': last }) },
    signal: closing.signal,
  })
  const seen: EventSourceMessage[] = []
  let onEvent = () => {}
  const consumed = eventsOf(response, (event) => {
    seen.push(event)
    onEvent()
  })
  return {
    status: response.status,
    seen,
    has: (count) =>
      new Promise((resolve) => {
        onEvent = () => void (seen.length >= count && resolve())
        onEvent()
      }),
    ended: consumed.catch(() => {}),
    close: () => closing.abort(),
  }
}

interface Given {
  readonly after?: string
  readonly authorization?: string
  readonly url?: string
}

/** Reads a stream of events to its end, each as it comes. */
export async function eventsOf(
  response: Response,
  onEvent: (event: EventSourceMessage) => void,
): Promise<void> {
  const parser = createParser({ onEvent })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
}
