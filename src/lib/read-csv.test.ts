import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'
import { csvRecords } from './read-csv.ts'

const recordsOf = async (...pieces: string[]) => {
  const records = await Array.fromAsync(csvRecords(pieces as unknown as AsyncIterable<unknown>))
  return records.map(({ line, cells }) => [line, ...cells])
}

test('cells between quotes have commas, quotes and ends of lines, and the line is that in which a record begins', async () => {
  assert.deepEqual(await recordsOf('\uFEFFa,"b,c"\r\n"d ""e""","f\r\ng"\r\n\r\nh,\n'), [
    [1, 'a', 'b,c'],
    [2, 'd "e"', 'f\r\ng'],
    [5, 'h', ''],
  ])
})

test('it does not matter where a text is cut', async () => {
  const text = 'a,"b ""c"",d"\r\n"e\nf",g'
  const whole = await recordsOf(text)
  for (let at = 0; at <= text.length; at++)
    assert.deepEqual(await recordsOf(text.slice(0, at), text.slice(at)), whole, String(at))
})

test('what csvLine writes is read back, but for the apostrophe that guards a formula', async () => {
  const cells = ['plain', '"', 'a,b', 'c\r\nd', '=1+1', '']
  assert.deepEqual(await recordsOf(csvLine(cells)), [[1, 'plain', '"', 'a,b', 'c\r\nd', "'=1+1", '']])
})
