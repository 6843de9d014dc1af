// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('error_path')
})
after(() => app.close())

test('an error names the path as it was sent: with its alias, without what stands before and after it', async () => {
  const { id } = app.seller.product
  for (const path of [`/plugins/${id}/users/987654321.json`, `/products/${id}/users/987654321.json`]) {
    const { status, json } = await app.call('GET', `${path}?fields=id`)
    assert.deepEqual([status, json.path], [404, path])
  }
  const key = `sk_${'x'.repeat(29)}`
  const { json, text } = await app.call('GET', `/products/${id}/licenses/${key}.json`)
  assert.equal(json.path, `/products/${id}/licenses/….json`, 'but a key that somebody put there')
  assert.ok(!text.includes(key))
})
