import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSync } from 'recheck'
import { patternsOfServer, type Pattern } from './patterns.ts'

const { patterns, built } = patternsOfServer()

/** Many times what the slowest takes, so that none is let through for want of time. */
const TIMEOUT_MS = 60_000

/** By what is built of it, or by attacks that are looked for where that is too large or has what has no automaton. */
const judged = ({ source, flags }: Pattern) =>
  checkSync(source, flags, { checker: 'auto', timeout: TIMEOUT_MS }).status

/** Of one class, each character of which is looked at once: the checker does not read sets of Unicode (flag `v`). */
const isOneClass = ({ source, flags }: Pattern) =>
  flags === 'v' && /^\^\[\[[^ ]+ ?\]--\\p\{DI\}\](?:\+|\{1,63\})\$$/.test(source)

test('S18: every expression of the server takes linear time', () => {
  const others: string[] = []
  for (const one of patterns.filter((pattern) => !isOneClass(pattern))) {
    const status = judged(one)
    if (status !== 'safe') others.push(`${status} ${one.at} ${one.source}`)
  }
  assert.deepEqual(others, [])
})

test('S18: every expression is found: literals, those of schemas, and those that are put together', () => {
  const sources = patterns.map(({ source }) => source)
  for (const part of ['[1-9][0-9]{0,8}|unlimited', 'boundary=', ';\\s*x=', '<\\?php)?[ \\t/*#@]*x:']) {
    assert.ok(
      sources.some((source) => source.includes(part)),
      part,
    )
  }
  const files = built.map((at) => at.replace(/:\d+$/, ''))
  const why = 'made of another one, and of text that is escaped'
  assert.deepEqual(files, ['src/archive/premium-code.ts', 'src/mail/deliver.ts'], why)
})

test('S18: an expression that takes more than linear time is known as such, by itself or by an attack', () => {
  for (const source of ['^(a+)+$', '\\s+$', '^ *(x)? *$', '(a)\\1(b*)*c', '(?=a)(a|a)*$']) {
    assert.equal(judged({ source, flags: '', at: '' }), 'vulnerable', source)
  }
})
