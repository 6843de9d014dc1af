import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bounded } from './bounded.ts'

test('it keeps as many values as it may, and lets go of the one that was kept first', () => {
  const kept = new Bounded<number>(2)
  assert.equal(kept.keep('a', 1), 1)
  kept.keep('b', 2)
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [1, 2, undefined])
  kept.keep('c', 3)
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [undefined, 2, 3])
})

test('a value that is replaced pushes no other out', () => {
  const kept = new Bounded<number>(2)
  kept.keep('a', 1)
  kept.keep('b', 2)
  kept.keep('b', 3)
  assert.deepEqual([kept.get('a'), kept.get('b')], [1, 3])
})
