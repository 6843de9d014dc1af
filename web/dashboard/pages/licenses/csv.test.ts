import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf, wantedIn } from './csv.ts'

test('a file is split by commas or semicolons, with quotes, any line end and a mark of its encoding', () => {
  assert.deepEqual(rowsOf('\uFEFFa,"b, ""c"""\r\n\r\nd, e '), [
    ['a', 'b, "c"'],
    ['d', 'e'],
  ])
  assert.deepEqual(rowsOf('email;license_key\na@example.com;x\n'), [
    ['email', 'license_key'],
    ['a@example.com', 'x'],
  ])
})

test('the first row names the columns, in any order and case; others are passed over', () => {
  assert.deepEqual(wantedIn('Name,Colour,EMAIL,expires_at\nAda,red,ada@example.com,2027-01-01\nBob,,,\n'), [
    { row: 2, name: 'Ada', email: 'ada@example.com', expires_at: '2027-01-01' },
    { row: 3, name: 'Bob' },
  ])
  assert.equal(wantedIn('ada@example.com\n'), null)
})
