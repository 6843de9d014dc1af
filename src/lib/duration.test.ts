import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDuration, parseDuration } from './duration.ts'
import { toUtcTime, type UtcTime } from './time.ts'

const from = '2026-01-31 10:00:00' as UtcTime

test('a duration counts months by the calendar, then days and hours', () => {
  const after = (text: string) => {
    const duration = parseDuration(text)
    assert.ok(duration, text)
    return toUtcTime(addDuration(from, duration))
  }
  assert.equal(after('P1M'), '2026-02-28 10:00:00')
  assert.equal(after('P1Y'), '2027-01-31 10:00:00')
  assert.equal(after('P1Y2M3DT4H5M6S'), '2027-04-03 14:05:06')
  assert.equal(after('P2W'), '2026-02-14 10:00:00')
  assert.equal(after('PT90M'), '2026-01-31 11:30:00')
})

test('what is no duration is none', () => {
  for (const text of [
    '',
    'P',
    'PT',
    '1M',
    'P1',
    'P-1M',
    'P1.5D',
    'P1DT',
    'PT1D',
    'p1m',
    'P12345678D',
    'P1M ',
  ]) {
    assert.equal(parseDuration(text), null, text)
  }
})
