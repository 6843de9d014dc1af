import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UtcTime } from './time.ts'
import { isTimeZone, timesIn } from './zoned-time.ts'

const at = (text: string) => text as UtcTime

test('a time is told as the clocks of the zone show it, in summer and in winter', () => {
  const { shown, iso } = timesIn('Europe/Berlin')
  assert.equal(shown(at('2026-01-31 23:30:00')), '2026-02-01 00:30:00')
  assert.equal(iso(at('2026-01-31 23:30:00')), '2026-02-01T00:30:00+01:00')
  assert.equal(iso(at('2026-03-29 00:59:59')), '2026-03-29T01:59:59+01:00')
  assert.equal(iso(at('2026-03-29 01:00:00')), '2026-03-29T03:00:00+02:00')
  assert.equal(timesIn('America/St_Johns').iso(at('2026-01-01 00:00:00')), '2025-12-31T20:30:00-03:30')
  assert.equal(timesIn('UTC').iso(at('2026-01-01 00:00:00')), '2026-01-01T00:00:00+00:00')
})

test('a time zone has a name, or is an offset', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', '+02:00', 'Middle/Earth', ''].map(isTimeZone), [
    true,
    true,
    true,
    false,
    false,
  ])
})
