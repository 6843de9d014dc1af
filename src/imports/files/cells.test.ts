import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../../lib/csv.ts'
import { csvRecords } from '../../lib/read-csv.ts'
import { cellOf, ofCell } from './cells.ts'

const TEXTS = [
  'x',
  '',
  "'",
  "''",
  "'t Hooft",
  '=1+1',
  "'=1+1",
  "''=1",
  '+49',
  '-5',
  '@me',
  '\tx',
  '\rx',
  "'+",
  'a,"b"\n=c',
]

test('any text is read back from CSV as it was, and null as null', async () => {
  for (const text of [...TEXTS, null]) {
    const line = csvLine(['first', cellOf(text)])
    const [record] = await Array.fromAsync(csvRecords([line] as unknown as AsyncIterable<unknown>))
    assert.equal(ofCell(record?.cells[1] ?? ''), text, JSON.stringify(text))
  }
})

test('no cell begins as a formula does in a spreadsheet', () => {
  for (const text of TEXTS) {
    const [, cell = ''] = /^first,"?([\s\S]*?)"?\r\n$/.exec(csvLine(['first', cellOf(text)])) ?? []
    assert.doesNotMatch(cell, /^[=+\-@\t\r]/, JSON.stringify(text))
  }
})
