import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('users')
})
after(() => app.close())

const ada = { email: 'ada@example.com', name: 'Ada King Lovelace', password: 'correct horse battery' }

test('a created user can be read back with its keys', async () => {
  const created = await app.call('POST', `/products/${app.seller.product.id}/users.json`, { body: ada })
  assert.equal(created.status, 200, created.text)
  assert.deepEqual(created.json.first, 'Ada')
  const read = await app.call('GET', `/products/${app.seller.product.id}/users/${created.json.id}.json`)
  assert.equal(read.status, 200, read.text)
  assert.deepEqual(read.json, created.json)
  const list = await app.call('GET', `/products/${app.seller.product.id}/users.json?fields=id,email`)
  assert.deepEqual(list.json, { users: [{ id: created.json.id, email: 'ada@example.com' }] })
})
