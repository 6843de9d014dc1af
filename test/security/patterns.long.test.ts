import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSync } from 'recheck'
import { patternsOfServer, type Pattern } from './patterns.ts'

const TIMEOUT_MS = 30_000

/** Of one class, each character of which is looked at once: the checker does not read sets of Unicode (flag `v`). */
const isOneClass = ({ source, flags }: Pattern) =>
  flags === 'v' && /^\^\[\[[^ ]+ ?\]--\\p\{DI\}\](?:\+|\{1,63\})\$$/.test(source)

test('S18: every expression of the server takes linear time, by what is built of it or by attacks that are looked for', () => {
  const others: string[] = []
  for (const one of patternsOfServer().patterns) {
    if (isOneClass(one)) continue
    const { status } = checkSync(one.source, one.flags, { checker: 'auto', timeout: TIMEOUT_MS })
    if (status !== 'safe') others.push(`${status} ${one.at} ${one.source}`)
  }
  assert.deepEqual(others, [])
})
