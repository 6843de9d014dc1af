import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimeText } from './time-text.ts'

const first = (text: string) => parseTimeText(text, 'first second')

test('a time is taken as it is', () => {
  for (const text of ['2026-01-31 10:00:00', '2024-02-29 23:59:59', '9999-12-31 23:59:59'])
    assert.equal(first(text), text)
})

test('a date alone is its first or its last second', () => {
  assert.equal(first('2026-01-31'), '2026-01-31 00:00:00')
  assert.equal(parseTimeText('2026-01-31', 'last second'), '2026-01-31 23:59:59')
})

test('days and hours that do not exist, and every other form, are refused', () => {
  const refused = [
    '2026-02-30',
    '2025-02-29 10:00:00',
    '2026-13-01',
    '2026-01-31 24:00:00',
    '2026-01-31 10:60:00',
    '2026-01-31T10:00:00Z',
    '2026-01-31 10:00',
    '2026-01-31  10:00:00',
    ' 2026-01-31',
    '26-01-31',
    '20260131',
    'tomorrow',
    '',
  ]
  for (const text of refused) assert.equal(first(text), null, text)
})
