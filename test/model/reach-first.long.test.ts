import { test } from 'node:test'
import { playReach } from './reach-play.ts'

const PARTS = 20
const GAMES = 10
const STEPS = 5_000

const first = Math.floor(Math.random() * 2 ** 31)

/** A million steps in all; each part is a test of its own, as one test has half an hour. */
for (let part = 0; part < PARTS; part++) {
  test(`fifty thousand random calls reach what is their holder's alone (part ${part + 1} of ${PARTS})`, async (t) => {
    const start = performance.now()
    for (let game = 0; game < GAMES; game++) await playReach(first + part * GAMES + game, STEPS)
    const perSecond = Math.round((GAMES * STEPS * 1_000) / (performance.now() - start))
    t.diagnostic(`seeds from ${first + part * GAMES}, ${GAMES * STEPS} steps, ${perSecond} a second`)
  })
}
