import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE, SECOND } from '../lib/time.ts'
import { takes } from './idle.ts'
import { TIMEOUTS } from './server.ts'

const HOUR_MS = 60 * MINUTE
const ANSWER = 1_000_000_000

interface Client {
  /** Bytes a second that it takes. */
  readonly rate: number
  /** Bytes that are seen to be taken at once: what the system holds for it shows when there is room again. */
  readonly step: number
}

/** Milliseconds until a client is let go that an answer without end waits for; null where it is not within an hour. */
function cutAfter({ rate, step }: Client): number | null {
  const work = { taken: null }
  for (let now = 0; now < HOUR_MS; now += TIMEOUTS.check) {
    const taken = Math.floor((rate * now) / SECOND / step) * step
    const socket = { bytesWritten: ANSWER, writableLength: ANSWER - taken }
    if (!takes(socket, work, { now, within: TIMEOUTS.taking })) return now
  }
  return null
}

test('S34: a client that takes ten kilobytes a second is not let go, also where that shows late', () => {
  for (const step of [1, 64_000, 1_000_000, 4_000_000]) assert.equal(cutAfter({ rate: 10_000, step }), null)
})

test('S34: a kilobyte a second is the least that a client takes of what waits for it', () => {
  assert.equal(cutAfter({ rate: 1_100, step: 1 }), null)
  for (const rate of [900, 100, 0]) assert.equal(cutAfter({ rate, step: 1 }), TIMEOUTS.taking)
})

test('S34: a client for which nothing waits is not asked to take anything', () => {
  const work = { taken: null }
  for (let now = 0; now < HOUR_MS; now += TIMEOUTS.check)
    assert.ok(takes({ bytesWritten: 100, writableLength: 0 }, work, { now, within: TIMEOUTS.taking }))
})
