import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNumberList } from './number-list.ts'

test('a list of numbers is read in ascending order, each once', () => {
  assert.deepEqual(parseNumberList('12, 1,12 ,0'), [0, 1, 12])
  assert.deepEqual(parseNumberList('7'), [7])
  assert.deepEqual(parseNumberList('10,9'), [9, 10])
})

test('empty text is an empty list', () => {
  assert.deepEqual(parseNumberList(''), [])
  assert.deepEqual(parseNumberList('  '), [])
})

test('what is no whole number from 0 is no list', () => {
  for (const text of ['1,', ',', '1,,2', '1;2', 'x', '-1', '1.5', '01', '1e3', '0x1', '1 2', '1'.repeat(16)])
    assert.equal(parseNumberList(text), null, text)
})
