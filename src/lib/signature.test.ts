import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentMd5, isSignedBy, parseAuthorization, signatureOf } from './signature.ts'

const SECRET = 'sk_TESTSECRETKEY0000000000000001'
const DATE = 'Thu, 11 May 2023 11:45:30 +0000'
const JSON_TYPE = 'application/json'
const get = { method: 'GET', contentMd5: '', contentType: '', date: DATE, path: '/v1/products/1/users.json' }
const put = {
  ...get,
  method: 'PUT',
  contentMd5: 'b845af4a53e1171eab2ec174a1f2842e',
  contentType: JSON_TYPE,
  path: '/v1/products/1/coupons/2/note.json',
}

test('the published vectors of the FS scheme come out exactly', () => {
  assert.equal(
    signatureOf(SECRET, { ...get, contentType: JSON_TYPE }),
    'MGUxZjI3ODI3OWIzMjZlY2I4NjM2Y2MzYTFkZDRiZmU1NDg3ZTNhNmM3NGM3MDdmZjQ5NzlmM2E5MTVjMmJhYw',
  )
  assert.equal(
    signatureOf(SECRET, get),
    'MjlkMzY4MTI0M2RmOGU1OThiZDIzMzc2MWM0NmU0MDdmOWYyYmNmNGZkNTlkN2RlZjkyNGRmZDM4MzczZDU3Ng',
  )
  assert.equal(
    signatureOf(SECRET, put),
    'OTAyNThhMWUwZjEzNzY2OTEyZDBmMWJjOTE2OTQyMGZlNWY3YjE4MmJkYWRhYWE1OWM3N2IzY2UxNzZhNDI3OA',
  )
  assert.equal(
    signatureOf(SECRET, {
      ...get,
      date: '2023-05-11 11:45:30',
      path: '/v1/products/1/payments/3/invoice.pdf',
    }),
    'NTk0NjdlNGUxMThhZGFiY2Q0NzI5ZGE5ZGE2NjRiZWI5ZDY3Mzc5NjNhYTRkMjhiNGZmOTcwOTQ2OTQ2ZmVhOQ',
  )
})

test('the MD5 is of the raw bytes, and empty for an empty body', () => {
  assert.equal(contentMd5(Buffer.from('{"note":"x"}')), put.contentMd5)
  assert.notEqual(contentMd5(Buffer.from('{"note": "x"}')), put.contentMd5)
  assert.equal(contentMd5(new Uint8Array()), '')
})

test('the content type counts as received or as empty', () => {
  const multipart = 'multipart/form-data; boundary=----x'
  for (const signed of [multipart, '']) {
    const signature = signatureOf(SECRET, { ...put, contentType: signed })
    assert.equal(isSignedBy(SECRET, { ...put, contentType: multipart }, signature), true, signed)
  }
})

test('application/json counts unsent for GET only', () => {
  assert.equal(isSignedBy(SECRET, get, signatureOf(SECRET, { ...get, contentType: JSON_TYPE })), true)
  assert.equal(isSignedBy(SECRET, { ...put, contentType: '' }, signatureOf(SECRET, put)), false)
})

test('a signature holds for its secret and for each signed part only', () => {
  const signature = signatureOf(SECRET, put)
  assert.equal(isSignedBy(SECRET, put, signature), true)
  assert.equal(isSignedBy('sk_TESTSECRETKEY0000000000000002', put, signature), false)
  const changes = [
    { method: 'POST' },
    { contentMd5: '' },
    { date: '2023-05-11 11:45:30' },
    { path: '/v1/products/2.json' },
  ]
  for (const change of [...changes, { contentType: 'text/plain' }]) {
    assert.equal(isSignedBy(SECRET, { ...put, ...change }, signature), false, JSON.stringify(change))
  }
  for (const other of ['', signature.slice(0, -1), `${signature}=`, signature.toLowerCase()]) {
    assert.equal(isSignedBy(SECRET, put, other), false, other)
  }
})

test('each scheme is read into its parts', () => {
  assert.deepEqual(parseAuthorization('Bearer kw_a-b_c.d:e='), { scheme: 'Bearer', token: 'kw_a-b_c.d:e=' })
  for (const scheme of ['FS', 'FSP']) {
    const expected = { scheme, id: '1', publicKey: 'pk_a', signature: 'MGUx_-' }
    assert.deepEqual(parseAuthorization(`${scheme} 1:pk_a:MGUx_-`), expected)
  }
  assert.deepEqual(parseAuthorization('FSA 9223372036854775807:a:b'), {
    scheme: 'FSA',
    id: '9223372036854775807',
    token: 'a:b',
  })
})

test('anything else is no authorization', () => {
  const ids = [
    'FS 0:pk:s',
    'FS 01:pk:s',
    'FS -1:pk:s',
    'FS 1.0:pk:s',
    'FS 12345678901234567890:pk:s',
    'FS x:pk:s',
    'FSA 0:t',
  ]
  const shapes = [
    'FS 1:pk',
    'FS 1:pk:',
    'FS 1::s',
    'FS 1:pk:s:t',
    'FS 1:p k:s',
    'FS 1:pk:s ',
    'FSA 1:',
    'FSA t',
    'FSE 1:x',
  ]
  const names = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer  a',
    'Bearer a b',
    'Bearer a\n',
    'bearer a',
    'fs 1:pk:s',
    'Basic YQ==',
    'FSX 1:pk:s',
  ]
  const long = [
    `FS ${'1'.repeat(50_000)}`,
    `FS 1:${':'.repeat(50_000)}`,
    'Bearer ü',
    ' FS 1:pk:s',
    'FS\t1:pk:s',
  ]
  for (const text of [...ids, ...shapes, ...names, ...long])
    assert.equal(parseAuthorization(text), null, text)
})
