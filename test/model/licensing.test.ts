// Runs alone, slowly.
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { setUp } from './board.ts'
import { Game } from './play.ts'

/** Each seed is played on in `licensing.long.test.ts`. */
const STEPS = 100
const seeds = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as number[]

for (const seed of seeds) {
  test(`random operations leave licenses and installs as the reference has them (seed ${seed})`, async (t) => {
    const app = await startTestApp(`model-${seed}`)
    t.after(() => app.close())
    await new Game(app, await setUp(app), seed).play(STEPS)
  })
}
