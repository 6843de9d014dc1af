import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { intercepted, type Paused } from '../web/intercepted.ts'
import { PATIENCE } from '../web/watched.ts'

/** What a page writes, held back one after the other. */
interface Writes {
  /** The next one that the page sends. */
  next(): Promise<Paused>
  /** How many it has sent so far. */
  count(): number
  end(): Promise<void>
}

/** Writes in their names alone: what is shown is asked for by them. */
const READING = /\/(preview|key\/show)\.json$/

/** Holds what a page writes: none of it reaches the server. */
export async function heldWrites(page: Page): Promise<Writes> {
  const held: Paused[] = []
  let taken = 0
  let wake = () => {}
  const end = await intercepted(page, '.json', async (paused) => {
    // What the page has given up meanwhile is passed on to nobody.
    if (paused.method === 'GET' || READING.test(new URL(paused.url).pathname))
      return paused.pass().catch(() => undefined)
    held.push(paused)
    wake()
    return undefined
  })
  return {
    async next() {
      for (;;) {
        const one = held[taken]
        if (one) {
          taken += 1
          return one
        }
        await new Promise<void>((resolve, reject) => {
          wake = resolve
          setTimeout(() => reject(new Error('nothing is sent')), PATIENCE.timeout).unref()
        })
      }
    },
    count: () => held.length,
    end,
  }
}

/** In the page: whatever the second press of two has begun is sent after it. */
const SETTLED = `fetch('/readyz').then(() => new Promise(requestAnimationFrame))`

/**
 * A double click on a button sends one write with an `Idempotency-Key`; where its answer is lost, the next press sends
 * the same with the same key. Answers that one, which waits.
 */
export async function requireSentOnce(
  { page, writes, what }: { readonly page: Page; readonly writes: Writes; readonly what: string },
  button: Locator,
): Promise<Paused> {
  await button.dblclick()
  const first = await writes.next()
  await page.evaluate(SETTLED)
  assert.equal(writes.count(), 1, `${what}: requests of a double click`)
  const { 'idempotency-key': key = '' } = first.headers
  assert.match(key, /^[\w-]{36,}$/, `${what}: Idempotency-Key of ${first.method} ${first.url}`)
  await first.answer({}, 502)
  await button.click()
  const again = await writes.next()
  assert.deepEqual(
    [again.headers['idempotency-key'], saidIn(again)],
    [key, saidIn(first)],
    `${what}: after a lost answer`,
  )
  return again
}

/** What a request says; what stands between the parts of a form is another text each time. */
const saidIn = ({ body }: Paused): string => body.replaceAll(/(?<=FormBoundary)\w+/g, '')
