import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOf, nestedFields } from './form-fields.ts'

test('names with brackets become lists and objects, others stay', () => {
  const fields = nestedFields({
    a: '1',
    'sites[0][uid]': 'x',
    'sites[0][url]': 'y',
    'sites[1][uid]': 'z',
    'ids[0]': '7',
  })
  assert.equal(
    JSON.stringify(fields),
    '{"a":"1","sites":{"0":{"uid":"x","url":"y"},"1":{"uid":"z"}},"ids":{"0":"7"}}',
  )
  assert.deepEqual(listOf(fields['ids']), ['7'])
})

test('a single value is a list of one, and nothing is none', () => {
  assert.deepEqual(listOf(nestedFields({ ids: '7' })['ids']), ['7'])
  assert.deepEqual(listOf(7), [7])
  for (const nothing of ['', null, undefined]) assert.deepEqual(listOf(nothing), [])
})

test('no name reaches a prototype, and a text does not become an object', () => {
  const fields = nestedFields({
    '__proto__[polluted]': '1',
    'a[__proto__][polluted]': '1',
    b: 'text',
    'b[c]': '2',
  })
  assert.equal(({} as { polluted?: string }).polluted, undefined)
  assert.equal(JSON.stringify(fields['b']), '{"c":"2"}')
  assert.equal(nestedFields({ 'a[b][c][d]': '1' })['a[b][c][d]'], '1')
})
