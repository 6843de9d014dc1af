// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForAll, playReach } from './reach-play.ts'

/** Far more are played in `reach-first.long.test.ts` and the second half. */
const STEPS = 300
/** So many addresses at least are asked for. */
const ASKED = 1_500

test('every kind of key that asks for each list and each row, of its own and of others, is told what is its own', async (t) => {
  const asked = await askForAll()
  t.diagnostic(`${asked} calls`)
  assert.ok(asked >= ASKED)
})

for (const seed of [1, 2]) {
  test(`random holders of every kind of key reach what is theirs alone (seed ${seed})`, async () => {
    await playReach(seed, STEPS)
  })
}
