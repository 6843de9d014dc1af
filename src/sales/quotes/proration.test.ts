import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths } from '../../lib/periods.ts'
import { prorationOf } from './proration.ts'
import type { UtcTime } from '../../lib/time.ts'

const time = (text: string) => text as UtcTime
const year = { paid: 36_500, from: time('2026-01-01 10:00:00'), to: time('2027-01-01 10:00:00') }
const toAnother = (now: string) => ({ now: time(now), isLifetime: false })

test('what is left of a period is counted in days, and one that has begun is left', () => {
  const left = (now: string) => prorationOf(year, toAnother(now))
  assert.deepEqual(left('2026-01-01 10:00:00'), { credit: 36_500, daysLeft: 365, days: 365 })
  assert.deepEqual(left('2026-01-02 09:59:59'), { credit: 36_500, daysLeft: 365, days: 365 })
  assert.deepEqual(left('2026-01-02 10:00:00'), { credit: 36_400, daysLeft: 364, days: 365 })
  assert.deepEqual(left('2026-12-31 23:00:00'), { credit: 100, daysLeft: 1, days: 365 })
  assert.deepEqual(left('2027-01-01 10:00:00'), { credit: 0, daysLeft: 0, days: 365 })
  assert.deepEqual(left('2030-01-01 00:00:00'), { credit: 0, daysLeft: 0, days: 365 })
  assert.deepEqual(left('2025-12-31 00:00:00'), { credit: 36_500, daysLeft: 365, days: 365 })
})

test('a month has the days of its own period, also where the anchor day is missing', () => {
  const anchor = time('2026-01-31 10:00:00')
  const days = [0, 1, 2].map((index) => {
    const [from, to] = [addMonths(anchor, index), addMonths(anchor, index + 1)]
    return prorationOf({ paid: 100, from, to }, toAnother(from)).days
  })
  assert.deepEqual(days, [28, 31, 30])
})

test('a share of a payment is rounded half up', () => {
  const period = { from: time('2026-01-01 00:00:00'), to: time('2026-01-03 00:00:00') }
  const credit = (paid: number) => prorationOf({ paid, ...period }, toAnother('2026-01-02 00:00:00')).credit
  assert.deepEqual([1, 2, 3].map(credit), [1, 1, 2])
})

test('a lifetime counts in full towards another, within its days, and towards nothing else', () => {
  const held = { paid: 9_900, from: time('2026-01-01 10:00:00'), to: null }
  const credit = (now: string, isLifetime: boolean, prorationDays: number | null) =>
    prorationOf({ ...held, prorationDays }, { now: time(now), isLifetime }).credit
  assert.equal(credit('2026-02-14 09:59:59', true, 45), 9_900)
  assert.equal(credit('2026-02-15 09:59:59', true, 45), 9_900)
  assert.equal(credit('2026-02-15 10:00:00', true, 45), 0)
  assert.equal(credit('2036-02-15 10:00:00', true, null), 9_900)
  assert.equal(credit('2026-01-02 10:00:00', false, null), 0)
})

test('a period without a day is worth nothing', () => {
  const from = time('2026-01-01 10:00:00')
  assert.equal(prorationOf({ paid: 100, from, to: from }, toAnother('2026-01-01 10:00:00')).credit, 0)
})
