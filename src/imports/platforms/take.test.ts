import assert from 'node:assert/strict'
import { test } from 'node:test'
import { country } from './map.ts'
import { valueOf, type Taking } from './take.ts'

test('a country is kept in upper case, and one that there is not is left empty', () => {
  const taken = (text: string) =>
    valueOf({ found: { text: () => text } } as unknown as Taking, country('country'))
  assert.deepEqual(['US', 'de', 'ZZ', 'Germany', ''].map(taken), ['US', 'DE', null, null, null])
})
