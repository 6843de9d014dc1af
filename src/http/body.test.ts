// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { rawExchange } from '../../test/security/raw.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('body')
})
after(() => app.close())

test('a compressed body is 415, and one that says it is not is read', async () => {
  const { product } = app.seller
  const body = JSON.stringify({ email: 'ada@example.com', name: 'Ada Lovelace' })
  const send = (coding: string, bytes: Buffer<ArrayBuffer>) =>
    fetch(`${app.address}/v1/products/${product.id}/users.json`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.token}`,
        'content-type': 'application/json',
        'content-encoding': coding,
      },
      body: bytes,
    })
  for (const coding of ['gzip', 'br', 'identity, gzip']) {
    assert.equal((await send(coding, gzipSync(body))).status, 415, coding)
  }
  assert.equal((await send('identity', Buffer.from(body))).status, 200)
})

test('a type without a body is answered at once, as no arguments at all', async () => {
  const { product } = app.seller
  for (const type of ['application/json', 'multipart/form-data; boundary=B', 'text/plain', null]) {
    const head =
      `POST /v1/products/${product.id}/users.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Authorization: Bearer ${product.token}\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n`
    const { statuses } = await rawExchange(app.address, [head], { patience: 5_000 })
    assert.deepEqual(statuses, [type?.startsWith('multipart') ? 415 : 402], String(type))
    const nowhere = head.replace('POST', 'PATCH')
    assert.deepEqual((await rawExchange(app.address, [nowhere], { patience: 5_000 })).statuses, [405])
  }
})
