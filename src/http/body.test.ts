import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../test/app.ts'

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
