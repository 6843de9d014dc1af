import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './differences.ts'

test('only what differs is told, from and to', () => {
  const before = { title: 'Pro', price: null as number | null, isHidden: false }
  assert.deepEqual(differences(before, { title: 'Pro', price: 5, isHidden: true }), {
    from: { price: null, isHidden: false },
    to: { price: 5, isHidden: true },
  })
})

test('two equal states have no differences', () => {
  assert.equal(differences({ title: 'Pro', price: null }, { title: 'Pro', price: null }), null)
})
