import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machineIn } from './request-file.ts'

test('a request file names its machine as JSON, or as the uid alone', () => {
  const uid = '0123456789abcdef0123456789abcdef'
  assert.deepEqual(machineIn(JSON.stringify({ uid, title: 'Lab', more: 1 })), { uid, title: 'Lab' })
  assert.deepEqual(machineIn(` {"uid":"${uid}"}\n`), { uid, title: '' })
  assert.deepEqual(machineIn(`${uid}\r\n`), { uid, title: '' })
})

test('a file that names no machine is no request', () => {
  for (const text of ['', '  ', '{', '{}', '{"uid":7}', '{"uid":""}', 'a file of words', '[]x y'])
    assert.equal(machineIn(text), null, text)
})
