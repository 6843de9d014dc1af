import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutHidden } from './data-classes.ts'

test('a total beside an amount is one, and is left out with it; one that counts rows is shown', () => {
  const sums = { lines: [{ kind: 'price', amount: 10 }], gross: 10, tax: 2, total: 12 }
  assert.deepEqual(withoutHidden(sums, ['sales']), { lines: [{ kind: 'price' }] })
  for (const counted of [
    { total: 312, is_more: false },
    { total: 12, done: 10, failed: 2 },
    { figures: [{ attempts: 1 }], total: { attempts: 1, p50_ms: null } },
  ])
    assert.deepEqual(withoutHidden(counted, ['sales', 'license keys']), counted)
})

test('what is hidden is left out at any depth, and what is hidden from nobody is as it was', () => {
  const event = { id: '1', objects: { payment: { id: '2' }, user: { id: '3', email: 'a@example.com' } } }
  assert.deepEqual(withoutHidden(event, ['sales', 'e-mail addresses']), {
    id: '1',
    objects: { user: { id: '3' } },
  })
  assert.equal(withoutHidden(event, []), event)
})
