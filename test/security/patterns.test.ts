import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSync } from 'recheck'
import { patternsOfServer, type Pattern } from './patterns.ts'

const { patterns, built } = patternsOfServer()

/** What is slower to judge is judged in `patterns.long.test.ts`. */
const TIMEOUT_MS = 100

const judged = ({ source, flags }: Pattern) =>
  checkSync(source, flags, { checker: 'automaton', timeout: TIMEOUT_MS }).status

test('S18: no expression of the server takes more than linear time, as far as that is soon known', () => {
  const vulnerable = patterns.filter((one) => judged(one) === 'vulnerable')
  assert.deepEqual(
    vulnerable.map(({ at, source }) => `${at} ${source}`),
    [],
  )
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

test('S18: an expression that takes more than linear time is known as such', () => {
  for (const source of ['^(a+)+$', '\\s+$', '^ *(x)? *$']) {
    assert.equal(judged({ source, flags: '', at: '' }), 'vulnerable', source)
  }
})
