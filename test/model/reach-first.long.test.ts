import { test } from 'node:test'
import { playHalf } from './reach-parts.ts'
import { playReach } from './reach-play.ts'

playHalf(1)

for (const seed of [1, 2]) {
  test(`random holders of every kind of key reach what is theirs alone for long (seed ${seed})`, () =>
    playReach(seed, 1_500))
}
