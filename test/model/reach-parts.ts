import { test } from 'node:test'
import { playReach } from './reach-play.ts'

const PARTS = 20
const GAMES = 10
const STEPS = 5_000

/** Half a million steps; each part is a test of its own, as one test has half an hour. Two halves run beside each other. */
export function playHalf(half: 1 | 2): void {
  const seed = Math.floor(Math.random() * 2 ** 31)
  for (let part = half; part <= PARTS; part += 2) {
    test(`fifty thousand random calls reach what is their holder's alone (part ${part} of ${PARTS})`, async (t) => {
      const first = seed + part * GAMES
      const start = performance.now()
      for (let game = 0; game < GAMES; game++) await playReach(first + game, STEPS)
      const perSecond = Math.round((GAMES * STEPS * 1_000) / (performance.now() - start))
      t.diagnostic(`seeds from ${first}, ${GAMES * STEPS} steps, ${perSecond} a second`)
    })
  }
}
