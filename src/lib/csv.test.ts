import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('S25: text that a spreadsheet takes for a formula begins with an apostrophe, a number does not', () => {
  for (const text of ['=1', '+1', '-1', '@A1', '\t=1', '\r=1'])
    assert.ok(csvLine([text]).replace('"', '').startsWith(`'${text}`), JSON.stringify(text))
  assert.equal(csvLine([-12.5, 0, true, null, 'a-b']), '-12.5,0,true,,a-b\r\n')
})

test('RFC 4180: what has a comma, a quote or the end of a line stands in quotes', () => {
  assert.equal(
    csvLine(['a,b', 'say "x"', 'two\nlines', { a: 1 }]),
    '"a,b","say ""x""","two\nlines","{""a"":1}"\r\n',
  )
})
