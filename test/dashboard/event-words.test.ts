import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '../../src/events/log/event-types.ts'
import { deEvents } from '../../web/dashboard/texts/de-events.ts'

test('each type of event that is recorded has a meaning in German, with the same names in it', () => {
  const types = eventTypes()
  assert.deepEqual(Object.keys(deEvents).toSorted(), types.map(({ type }) => type).toSorted())
  const names = (text = '') => [...text.matchAll(/`(?!docs\/)([^`]+)`/g)].map(([, name]) => name)
  for (const { type, meaning } of types) assert.deepEqual(names(deEvents[type]), names(meaning), type)
})
