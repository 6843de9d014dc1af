import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from './later.ts'

test('a license is extended by whole months, to the last day of a shorter one', () => {
  assert.equal(later('2026-01-15T10:00:00', 1), '2026-02-15T10:00:00')
  assert.equal(later('2026-01-31T10:00:00', 1), '2026-02-28T10:00:00')
  assert.equal(later('2028-02-29T23:59:59', 12), '2029-02-28T23:59:59')
  assert.equal(later('2026-12-31T00:00', 1), '2027-01-31T00:00:00')
})
