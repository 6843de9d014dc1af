import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeLike, fold, prefixRange } from './fold.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 12 })

test('folding twice changes nothing', () => {
  for (let point = 0; point < 0x110000; point += 1) {
    const text = `Σ${String.fromCodePoint(point)}`
    assert.equal(fold(fold(text)), fold(text), point.toString(16))
  }
  assert.equal(fold('İ\u0327'), 'i\u0327\u0307')
  const tricky = fc.string({
    unit: fc.constantFrom('Σ', 'ς', 'İ', 'I', '\u0307', '\u0323', '\u0345', 'A', ' ', 'ﬃ', 'ẞ'),
  })
  const domains = fc.string({
    unit: fc.constantFrom('@', 'xn--', 'exmple-cua', '.', 'A', 'ς', '4xa', '/', ' '),
  })
  fc.assert(fc.property(fc.oneof(anyText, tricky, domains), (text) => fold(fold(text)) === fold(text)))
})

test('spellings of one character fold alike', () => {
  assert.equal(fold('Jose\u0301@Example.com'), fold('JOSÉ@EXAMPLE.COM'))
  assert.equal(fold('ＳＡＶＥ１０'), 'save10')
  assert.equal(fold('\u212A'), 'k')
  assert.equal(fold('I\u0307'), fold('İ'))
})

test('the domain of an address is one in letters and in the form that a network takes', () => {
  assert.equal(fold('Ada@xn--exmple-cua.com'), fold('ada@EXÄMPLE.com'))
  assert.equal(fold('ada@XN--STRAE-OQA.de'), 'ada@straße.de')
  for (const other of ['xn--exmple-cua.com', 'xn--exmple-cua@example.com', 'ada@xn--zzzzzz--', '@xn--/..']) {
    assert.equal(fold(other), other)
  }
})

test('the Turkish letters stay apart from i, on a machine of any language', () => {
  assert.equal(fold('INFO@SITE.COM'), 'info@site.com')
  assert.equal(fold('İ'), 'i\u0307')
  assert.equal(fold('ı'), 'ı')
  assert.equal(new Set(['i', 'İ', 'ı'].map(fold)).size, 3)
})

test('a sigma folds alike at the end of a word and inside it', () => {
  assert.equal(fold('ΟΔΟΣ'), fold('οδος'))
  assert.ok(fold('ΟΔΟΣΑ').startsWith(fold('ΟΔΟΣ')))
})

test('letters that only look alike stay different', () => {
  assert.notEqual(fold('SAVE'), fold('SАVE'))
  assert.notEqual(fold('straße'), fold('strasse'))
})

test('escapeLike takes the wildcards literally', () => {
  assert.equal(escapeLike('50%_off\\'), '50\\%\\_off\\\\')
  assert.equal(escapeLike('plain'), 'plain')
})

const below = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
const isWithin = (text: string, { from, to }: ReturnType<typeof prefixRange>) =>
  !below(text, from) && (to === null || below(text, to))

test('a prefix range holds exactly what starts with the prefix', () => {
  const edge = fc.constantFrom(
    'a',
    'b',
    '\u{10FFFF}',
    '\uD7FF',
    '\uE000',
    '\uFFFF',
    '\u{10000}',
    '\u{10FFFE}',
    '\u007F',
    '\0',
  )
  const text = fc.string({
    unit: fc.oneof(edge, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    maxLength: 5,
  })
  const pair = fc.oneof(
    fc.tuple(text, text),
    fc.tuple(text, text).map(([prefix, rest]) => [prefix, prefix + rest]),
  )
  fc.assert(
    fc.property(pair, ([prefix = '', x = '']) => isWithin(x, prefixRange(prefix)) === x.startsWith(prefix)),
    { numRuns: 5_000 },
  )
})

test('a prefix range steps over the surrogates and ends where nothing lies above', () => {
  assert.deepEqual(prefixRange('ab'), { from: 'ab', to: 'ac' })
  assert.deepEqual(prefixRange('a\uD7FF'), { from: 'a\uD7FF', to: 'a\uE000' })
  assert.deepEqual(prefixRange('a\uFFFF'), { from: 'a\uFFFF', to: 'a\u{10000}' })
  assert.deepEqual(prefixRange('a\u{10FFFF}'), { from: 'a\u{10FFFF}', to: 'b' })
  assert.deepEqual(prefixRange('\u{10FFFF}'), { from: '\u{10FFFF}', to: null })
  assert.deepEqual(prefixRange(''), { from: '', to: null })
})
