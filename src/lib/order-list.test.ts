import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrderOf } from './order-list.ts'

const rows = [1, 2, 3, 12].map((id) => ({ id }))
const ids = (list: string, first?: number) => inOrderOf(list, rows, first).map(({ id }) => id)

test('rows stand as the list says, those it lacks last and by age', () => {
  assert.deepEqual(ids('12,2'), [12, 2, 1, 3])
  assert.deepEqual(ids(''), [1, 2, 3, 12])
  assert.deepEqual(ids('99, 3,3,x'), [3, 1, 2, 12])
})

test('one row may stand before the list', () => {
  assert.deepEqual(ids('12,2,1', 1), [1, 12, 2, 3])
  assert.deepEqual(ids('12,2', 99), [12, 2, 1, 3])
})
