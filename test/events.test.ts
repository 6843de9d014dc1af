import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../src/app.ts'
import { EVENT_TYPES } from '../src/lib/event-types.ts'

/** Writes that tell nobody, and why. */
const WITHOUT_EVENT: Readonly<Record<string, string>> = {
  'keywright/developer-token': 'issues a credential; the audit log has it',
}

test('every operation that changes something emits an event of the table, or is on the written list', () => {
  const types: readonly string[] = EVENT_TYPES
  for (const op of operations) {
    if (op.kind !== 'write') continue
    assert.ok(
      op.emits.every((type) => types.includes(type)),
      op.id,
    )
    assert.equal(op.emits.length === 0, op.id in WITHOUT_EVENT, op.id)
  }
})

test('an operation that reads writes nothing', () => {
  for (const op of operations) {
    if (op.kind === 'read') assert.equal(op.method, 'GET', op.id)
  }
})

test('the table holds the 149 public types, each once', () => {
  assert.equal(EVENT_TYPES.length, 149)
  assert.equal(new Set(EVENT_TYPES).size, EVENT_TYPES.length)
})
