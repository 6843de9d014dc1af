import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths } from './periods.ts'
import type { UtcTime } from './time.ts'

const from = (anchor: string) => (months: number) => addMonths(anchor as UtcTime, months)

test('months from an anchor keep its day, or the last one of a shorter month, and its hour', () => {
  const january = from('2026-01-31 10:00:01')
  assert.deepEqual([1, 2, 3, 12, 13].map(january), [
    '2026-02-28 10:00:01',
    '2026-03-31 10:00:01',
    '2026-04-30 10:00:01',
    '2027-01-31 10:00:01',
    '2027-02-28 10:00:01',
  ])
})

test('a year from 29 February is 28 February, until there is a 29th again', () => {
  const leap = from('2028-02-29 23:59:59')
  assert.deepEqual([12, 24, 48].map(leap), [
    '2029-02-28 23:59:59',
    '2030-02-28 23:59:59',
    '2032-02-29 23:59:59',
  ])
})
