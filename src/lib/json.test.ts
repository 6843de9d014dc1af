import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { ApiError } from './errors.ts'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

const refuses = (input: string | Uint8Array, reason: RegExp) =>
  assert.throws(
    () => (typeof input === 'string' ? parse(input) : parseJson(input)),
    (error) =>
      error instanceof ApiError &&
      error.status === 400 &&
      error.code === 'invalid_json' &&
      reason.test(error.message),
    `${JSON.stringify(String(input).slice(0, 60))} should be refused: ${reason}`,
  )

test('every kind of JSON value comes out as JSON.parse gives it', () => {
  const texts = [
    '{}',
    '[]',
    'null',
    ' true ',
    '"x"',
    '-0.5e-3',
    '{"a":[1,{"b":"a","c":{"b":"b"}},"a"],"b":null}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":{"a":"\\"a\\\\"},"c":["a","a"]}',
    '{"\\u00e9":"\\ud83d\\ude00 😀 \\n\\/"}',
  ]
  for (const text of texts) assert.deepEqual(parse(text), JSON.parse(text), text)
})

test('text that is not JSON is refused', () => {
  const texts = [
    '',
    ' ',
    '{',
    '{"a"',
    '"',
    '"\\',
    '"\\u',
    '"\\u12',
    '{"\\x":1}',
    "{'a':1}",
    '[1,]',
    '{"a":1,}',
    '1 2',
  ]
  for (const text of [
    ...texts,
    ']',
    '}{',
    '-',
    '1-2',
    '01',
    '+1',
    'NaN',
    'undefined',
    '"a\u0001"',
    '// x\n1',
  ]) {
    refuses(text, /malformed/)
  }
})

test('the sentence of a refusal does not repeat what was sent', () => {
  assert.throws(() => parse('{"password": hunter2}'), { message: 'The JSON is malformed.' })
})

test('invalid UTF-8 and a byte order mark are refused', () => {
  refuses(Buffer.from([0x22, 0xff, 0x22]), /UTF-8/)
  refuses(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /UTF-8/)
  refuses(Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /UTF-8/)
  refuses(Buffer.from([0x22, 0xe2, 0x82]), /UTF-8/)
  refuses(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), /byte order mark/)
  assert.equal(parse('"\uFEFF"'), '\uFEFF')
})

test('64 levels pass, 65 are refused', () => {
  assert.ok(parse('['.repeat(64) + ']'.repeat(64)))
  refuses('['.repeat(65) + ']'.repeat(65), /deeper than 64/)
  refuses(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, /deeper than 64/)
  assert.equal(parse(JSON.stringify('['.repeat(100))), '['.repeat(100))
  assert.ok(parse(`[${'[],{},'.repeat(100)}1]`))
})

test('a key twice in one object is refused, however it is spelled', () => {
  refuses('{"a":1,"a":2}', /key twice/)
  refuses('{"a":1,"b":{"x":[{}, "a"]},"\\u0061":2}', /key twice/)
  refuses('[{"x":{"":1,"":1}}]', /key twice/)
  refuses('{"__proto__":1,"__proto__":2}', /key twice/)
  assert.deepEqual(parse('{"a":{"a":["a",{"a":"a"}]},"b":"a"}'), { a: { a: ['a', { a: 'a' }] }, b: 'a' })
})

test('a number that JavaScript cannot hold exactly is refused', () => {
  for (const text of [
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '1e30',
  ]) {
    refuses(`{"id":${text}}`, /number beyond/)
  }
  for (const text of ['1E+16', '1e400', '-1e400', '90071992547409920e-1']) refuses(text, /number beyond/)
  assert.deepEqual(
    parse('[9007199254740991,-9007199254740991,1e15,0.1e1,1e-400]'),
    [9007199254740991, -9007199254740991, 1e15, 1, 0],
  )
  assert.equal(parse('3.14159265358979323846'), Math.PI)
  assert.equal(parse('"9223372036854775807"'), '9223372036854775807')
})

test('half a surrogate pair and NUL are refused in values and in keys', () => {
  for (const text of [
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800\\ud800"',
    '"\\udc00\\udc00"',
    '"\\ud800\\ue000"',
    '"\\ud83dx"',
    '"\\uD83D\\n"',
    '"\\ude00\\ud83d"',
  ]) {
    refuses(text, /surrogate/)
    refuses(`{${text}:1}`, /surrogate/)
  }
  refuses('"\\u0000"', /NUL/)
  refuses('{"a\\u0000":1}', /NUL/)
  assert.equal(parse('"\\\\u0000 \\\\ud800"'), '\\u0000 \\ud800')
  assert.equal(parse('"\\ud83d\\ude00"'), '😀')
})

test('a __proto__ key stays an own key and changes no prototype', () => {
  const value = parse('{"__proto__":{"polluted":1}}')
  assert.deepEqual(Object.keys(Object(value)), ['__proto__'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.equal('polluted' in {}, false)
})

/** So many members, each written by `member`. */
const object = (members: number, member: (index: number) => string) =>
  `{${Array.from({ length: members }, (_, index) => member(index)).join(',')}}`

const accepted: Record<string, (size: number) => string> = {
  keys: (size) => object(size / 10, (index) => `"${index}":1`),
  'escaped keys': (size) => object(size / 17, (index) => `"\\u0061${index}":1`),
  objects: (size) => `[${'{},'.repeat(size / 3)}1]`,
  backslashes: (size) => `"${'\\\\'.repeat(size / 2)}"`,
}
const refused: Record<string, (size: number) => string> = {
  arrays: (size) => '['.repeat(size / 10),
  'a number': (size) => '9'.repeat(size),
  'a string without an end': (size) => '"\\'.repeat(size / 2),
  'objects in objects': (size) => '{"a":'.repeat(size / 5),
  signs: (size) => '-'.repeat(size),
}

test('a mebibyte of the worst is judged in linear time, and so are a million keys', () => {
  const size = 1 << 20
  for (const [name, text] of Object.entries(accepted)) {
    const bytes = (length: number) => Buffer.from(text(length))
    assertLinear(name, name === 'keys' ? 10 * size : size, (length) => parseJson.bind(null, bytes(length)))
  }
  for (const [name, text] of Object.entries(refused)) {
    assertLinear(name, size, (length) => {
      const bytes = Buffer.from(text(length))
      return () => assert.throws(() => parseJson(bytes), ApiError)
    })
  }
})
