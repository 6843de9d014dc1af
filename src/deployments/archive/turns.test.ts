import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { Turns } from './turns.ts'

const LIMITS = { atOnce: 3, ofSeller: 2, waiting: 4 }

/** With the sellers whose work was begun, in order. */
function watched() {
  const turns = new Turns(LIMITS)
  const begun: number[] = []
  const take = (seller: number) => turns.take(seller)?.then(() => void begun.push(seller)) ?? null
  return { turns, begun, take }
}

test('sellers that wait have their turns one after the other, whoever has brought more', async () => {
  const { turns, begun, take } = watched()
  for (const seller of [1, 1, 1, 1, 2, 2, 3]) void take(seller)
  for (const seller of [1, 2, 3, 1, 2, 1]) {
    await settled()
    turns.end(seller)
  }
  await settled()
  assert.deepEqual(begun, [1, 2, 3, 1, 2, 1, 1])
})

test('a seller has no more in hand than it may, and what is beyond that begins when one has ended', async () => {
  const { turns, begun, take } = watched()
  for (const seller of [1, 1, 1]) void take(seller)
  for (const seller of [1, 1]) turns.beginBeside(seller)
  await settled()
  assert.deepEqual(begun, [1, 1])
  void take(2)
  void take(3)
  for (const seller of [2, 3]) turns.beginBeside(seller)
  await settled()
  assert.deepEqual(begun, [1, 1, 2])
  turns.end(2)
  await settled()
  turns.end(1)
  await settled()
  assert.deepEqual(begun, [1, 1, 2, 3, 1])
})

test('what has waited long enough begins, and not what another seller has brought', async () => {
  const { turns, begun, take } = watched()
  for (const seller of [1, 2, 1]) void take(seller)
  turns.beginBeside(2)
  await settled()
  assert.deepEqual(begun, [1, 2])
  turns.beginBeside(1)
  await settled()
  assert.deepEqual(begun, [1, 2, 1])
})

test('what has waited long enough while its seller might have no more in hand begins when it may', async () => {
  const { turns, begun, take } = watched()
  for (const seller of [1, 1, 1]) void take(seller)
  for (const seller of [1, 1]) turns.beginBeside(seller)
  void take(2)
  await settled()
  assert.deepEqual(begun, [1, 1])
  turns.end(1)
  await settled()
  assert.deepEqual(begun, [1, 1, 2, 1])
})

test('of a seller so many wait and no more, and none of them keeps out another seller', async () => {
  const { turns, begun, take } = watched()
  for (let times = 0; times <= LIMITS.waiting; times++) assert.ok(take(1))
  assert.equal(take(1), null)
  assert.ok(take(2))
  turns.end(1)
  assert.ok(take(2))
  turns.end(2)
  assert.ok(take(1))
  await settled()
  assert.deepEqual(begun, [1, 2, 1])
})
