// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('errors')
})
after(() => app.close())

test('an error echoes what was sent, but no card number, wherever somebody put it', async () => {
  const body = { first: 5, last: 'Lovelace', note: 'paid with 4242 4242 4242 4242', extra: 4242424242424242 }
  const { status, json } = await app.call('PUT', `/products/${app.seller.product.id}/users/1.json`, { body })
  assert.equal(status, 400)
  const { first, last, note, extra } = json.request
  assert.deepEqual(
    { first, last, note, extra },
    { first: 5, last: 'Lovelace', note: undefined, extra: undefined },
  )
})
