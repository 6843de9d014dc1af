import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { refuseCards } from './refuse-cards.ts'

/** The fields that the refusal of a body names; none where it is taken. */
function refusedIn(body: object): string[] {
  try {
    refuseCards(body)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return (error.details ?? []).map(({ field }) => field)
  }
  return []
}

const withCards = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, '4242 4242 4242 4242']))

test('a refusal names each field with a card number, of however many no more than twenty', () => {
  assert.deepEqual(refusedIn({ ...withCards(2), city: 'Graz' }).toSorted(), ['field_0', 'field_1'])
  for (const [count, named] of [
    [0, 0],
    [20, 20],
    [21, 20],
    [10_000, 20],
  ] as const) {
    assert.equal(new Set(refusedIn(withCards(count))).size, named, String(count))
  }
})
