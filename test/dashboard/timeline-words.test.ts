import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/db/tables/event-types.ts'
import { eventTypes } from '../../src/events/log/event-types.ts'
import { de } from '../../web/dashboard/pages/timeline/words-de.ts'
import { en } from '../../web/dashboard/pages/timeline/words-en.ts'
import { changeIn, wordOf } from '../../web/dashboard/pages/timeline/entry.ts'

test('every word for an event is for one that there is, in both languages', () => {
  const types: readonly string[] = EVENT_TYPES
  for (const words of [en, de]) {
    assert.deepEqual(
      Object.keys(words.events).filter((type) => !types.includes(type)),
      [],
    )
  }
  for (const name of ['events', 'mails', 'deeds', 'actors'] as const) {
    assert.deepEqual(Object.keys(de[name]).toSorted(), Object.keys(en[name]).toSorted())
  }
})

test('every event that is recorded has a word', () => {
  const types = eventTypes().map(({ type }) => type)
  assert.ok(types.length > 100)
  assert.deepEqual(
    types.filter((type) => wordOf({ kind: 'event', type }, en) === null),
    [],
  )
})

test('what has no word is told by its name, and a change by both of its ends', () => {
  assert.equal(wordOf({ kind: 'event', type: 'level.reached' }, en), null)
  assert.equal(wordOf({ kind: 'note', type: 'note' }, de), 'Notiz')
  const [type, data] = ['license.quota.changed', { from: 1, to: null }]
  assert.deepEqual(changeIn({ type, data }), [1, null])
  assert.equal(changeIn({ type: 'install.plan.changed', data }), null)
})
