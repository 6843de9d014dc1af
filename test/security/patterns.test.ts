// Runs slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSync } from 'recheck'
import { patternsOf, patternsOfServer, type Pattern } from './patterns.ts'

const { patterns, built } = patternsOfServer()

/** What is put into them is a class or a name of ours, text that is escaped, or an expression that is judged where it stands; the patterns of sites are hosts. */
const PUT_TOGETHER = [
  'src/deployments/archive/php-mask.ts',
  'src/deployments/archive/php-mask.ts',
  'src/deployments/archive/premium-code.ts',
  'src/deployments/archive/wordpress.ts',
  'src/http/mounts.ts',
  'src/http/multipart.ts',
  'src/licensing/activation/sites.ts',
  'src/licensing/activation/sites.ts',
  'src/mail/deliver.ts',
  'src/sales/privacy/person.ts',
]

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
  assert.deepEqual(
    built.map((at) => at.replace(/:\d+$/, '')),
    PUT_TOGETHER,
  )
})

test('S18: an expression that takes more than linear time is known as such, by itself or by an attack', () => {
  for (const source of ['^(a+)+$', '\\s+$', '^ *(x)? *$', '(a)\\1(b*)*c', '(?=a)(a|a)*$']) {
    assert.equal(judged({ source, flags: '', at: '' }), 'vulnerable', source)
  }
})

test('S18: however an expression is written, it is judged, or its place is listed', () => {
  const ways = [
    "const PART = '(?:a+)+'; new RegExp(`^${PART}$`)",
    "const NAME = '^(a+)+$'; type({ pattern: NAME })",
    "new globalThis.RegExp('^(a+)+$')",
    "text.match('^(a+)+$')",
    "text.search('^(a+)' + '+$')",
  ]
  for (const text of ways) {
    const found = patternsOf([{ file: 'one.ts', text }])
    assert.deepEqual(found.patterns.map(judged), ['vulnerable'], text)
    assert.deepEqual(found.built, [], text)
  }
  for (const text of ['RegExp(`^${given}$`)', 'type({ pattern: elsewhere })', 'new RegExp(given)']) {
    assert.deepEqual(patternsOf([{ file: 'one.ts', text }]).built, ['one.ts:1'], text)
  }
})
