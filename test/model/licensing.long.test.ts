import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { setUp } from './board.ts'
import { Game } from './play.ts'

const STEPS = 100_000
const GAMES = 100
const seeds = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as number[]

test('a hundred thousand random operations leave licenses and installs as the reference has them', async (t) => {
  const first = Math.floor(Math.random() * 2 ** 31)
  for (let game = 0; game < GAMES; game++) {
    const seed = first + game
    t.diagnostic(`seed ${seed}`)
    const app = await startTestApp(`model-${game}`)
    try {
      await new Game(app, await setUp(app), seed).play(STEPS / GAMES)
    } catch (error) {
      throw new Error(`Put the seed ${seed} into seeds.json.`, { cause: error })
    } finally {
      await app.close()
    }
  }
})

for (const seed of seeds) {
  test(`what once went another way goes as the reference has it (seed ${seed})`, async (t) => {
    const app = await startTestApp(`model-${seed}`)
    t.after(() => app.close())
    await new Game(app, await setUp(app), seed).play(STEPS / GAMES)
  })
}
