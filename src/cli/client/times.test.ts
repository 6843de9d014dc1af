import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inUtc, localTime } from './times.ts'

test('a time is shown as clocks have it here, with how far that is from UTC, and is the same time again', () => {
  for (const time of ['2026-01-31 10:00:00', '2026-07-31 23:59:59']) {
    const shown = localTime(time) ?? ''
    assert.match(shown, /^2026-0[178]-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
    assert.equal(inUtc(shown), time)
  }
  assert.deepEqual(['2026-01-31', '2026-13-31 10:00:00', 'x'].map(localTime), [null, null, null])
})

test('a time with its zone is sent in UTC, and other text as it is', () => {
  for (const [given, sent] of [
    ['2027-01-31T11:00:00+01:00', '2027-01-31 10:00:00'],
    ['2027-01-31T00:30-0130', '2027-01-31 02:00:00'],
    ['2027-01-31 10:00:00.5z', '2027-01-31 10:00:00'],
    ['2027-01-31 10:00:00 +00:00', '2027-01-31 10:00:00'],
    ['2027-01-31 10:00:00', '2027-01-31 10:00:00'],
    ['2027-01-31', '2027-01-31'],
    ['2027-13-31T10:00Z', '2027-13-31T10:00Z'],
  ] as const)
    assert.equal(inUtc(given), sent)
})
