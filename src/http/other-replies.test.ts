// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations, served } from '../app.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { isOther } from './other-replies.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('other-replies')
})
after(() => app.close())

test('every operation has an id of its own, whatever it answers', () => {
  const ids = served.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  )
})

test('the interface is what answers in its own form', () => {
  assert.deepEqual(new Set([...operations, ...served.filter(isOther)]), new Set(served))
})

test('a page, a file, a stream and a foreign reply are counted under their own id', async () => {
  const asked = {
    'keywright/confirm-page': '/confirm-email/none',
    'keywright/picture': '/pictures/1/none',
    'keywright/stream-events': `/v1/products/${app.seller.product.id}/events/stream`,
  }
  for (const path of Object.values(asked)) await fetch(app.address + path)
  await fetch(`${app.address}/v1/gateways/none/webhook.json`, { method: 'POST' })
  const figures = await (await fetch(`${app.address}/metrics`)).text()
  for (const id of [...Object.keys(asked), 'gateway-webhook'])
    assert.ok(figures.includes(`operation="${id}"`), id)
})
