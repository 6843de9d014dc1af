import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIdList } from './id-list.ts'

test('ids keep their order, with or without white space', () => {
  assert.deepEqual(parseIdList('3, 1,2'), [3, 1, 2])
  assert.deepEqual(parseIdList('7'), [7])
  assert.deepEqual(parseIdList(' '), [])
})

test('what is no id, and an id that stands twice, is no list', () => {
  for (const text of ['0', '01', '-1', '1.5', '1e3', 'x', '1,', ',1', '1,,2', '9007199254740993', '1,2,1']) {
    assert.equal(parseIdList(text), null, text)
  }
})
