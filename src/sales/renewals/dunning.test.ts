import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTEMPTS, nextAttempt } from './dunning.ts'
import type { UtcTime } from '../../lib/time.ts'

const at = (text: string) => text as UtcTime

test('attempts at a renewal are made at +0, +1, +4 and +9 days, and no more', () => {
  let due: UtcTime | null = at('2026-02-28 10:00:00')
  const made: (UtcTime | null)[] = [due]
  for (let count = 1; due !== null; count++) {
    due = nextAttempt(count, due, due)
    made.push(due)
  }
  assert.deepEqual(made, [
    '2026-02-28 10:00:00',
    '2026-03-01 10:00:00',
    '2026-03-04 10:00:00',
    '2026-03-09 10:00:00',
    null,
  ])
  assert.equal(ATTEMPTS, 4)
})

test('an attempt that is made late keeps the days, unless it is a day late or more', () => {
  const due = at('2026-01-31 10:00:00')
  assert.equal(nextAttempt(1, due, at('2026-02-01 09:59:59')), '2026-02-01 10:00:00')
  assert.equal(nextAttempt(1, due, at('2026-02-20 12:00:00')), '2026-02-21 12:00:00')
})
