import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRange } from './byte-range.ts'

test('a range is read from its beginning, to its end, or from the end', () => {
  assert.deepEqual(parseRange('bytes=0-3', 10), { first: 0, last: 3 })
  assert.deepEqual(parseRange('bytes=4-', 10), { first: 4, last: 9 })
  assert.deepEqual(parseRange('bytes=4-400', 10), { first: 4, last: 9 })
  assert.deepEqual(parseRange('bytes=-3', 10), { first: 7, last: 9 })
  assert.deepEqual(parseRange('bytes=-30', 10), { first: 0, last: 9 })
})

test('what is beyond the file is said, what is malformed is as if it was not there', () => {
  for (const beyond of ['bytes=10-', 'bytes=10-12', 'bytes=-0'])
    assert.equal(parseRange(beyond, 10), 'beyond')
  for (const none of [
    undefined,
    '',
    'bytes=-',
    'bytes=3-1',
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=a-b',
    'bytes=1',
  ])
    assert.equal(parseRange(none, 10), null, none)
})
