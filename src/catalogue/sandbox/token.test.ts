import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { sandboxToken } from '../../sales/checkouts/signatures.ts'
import { DAY, SECOND, toUtcTime } from '../../lib/time.ts'
import type { TestProduct } from '../../../test/factories.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('sandbox_token')
  const { developer, store, product, other } = app.seller
  for (const { id } of [product, other]) {
    const owner = { developerId: developer.id, storeId: store.id, productId: id }
    await app.write((tx) => createOffer(tx, owner, `plan-of-${id}`))
  }
})
after(() => app.close())

const issue = (body: object = {}) =>
  app.call('POST', `/products/${app.seller.product.id}/sandbox/token.json`, { body })
/** What opening a checkout with these options says: the environment, or why not. */
async function enter(options: object, product: TestProduct = app.seller.product) {
  const body = { product_id: product.id, ...options }
  const { json } = await app.call('POST', '/checkout/sessions.json', { token: null, body })
  return json.error?.code ?? json.environment
}
/** As the seller's own code makes it. */
const made = (context: string, { id, secretKey, publicKey } = app.seller.product) => ({
  s_ctx_ts: context,
  sandbox: sandboxToken({ context, productId: id, secretKey, publicKey }),
})

test('a token that the server issues opens the sandbox of its product until its end', async () => {
  const { status, json, text } = await issue()
  assert.equal(status, 201, text)
  const now = app.ctx.clock.real()
  assert.deepEqual([json.created, json.expires], [toUtcTime(now), toUtcTime(now + 30 * DAY)])
  const week = (await issue({ days: 7 })).json.token
  assert.equal(await enter({ sandbox: json.token }), 1)
  assert.equal(await enter({ sandbox: json.token }, app.seller.other), 'invalid_sandbox_token')
  app.ctx.clock.advance(7 * DAY - SECOND)
  assert.deepEqual([await enter({ sandbox: week }), await enter({ sandbox: json.token })], [1, 1])
  app.ctx.clock.advance(SECOND)
  assert.equal(await enter({ sandbox: week }), 'invalid_sandbox_token')
  app.ctx.clock.advance(23 * DAY)
  assert.equal(await enter({ sandbox: json.token }), 'invalid_sandbox_token')
  for (const days of [0, 366, 1.5]) assert.equal((await issue({ days })).status, 400)
})

test("a token of the seller's own code is good for a day after its time, where it says one", async () => {
  const now = app.ctx.clock.real()
  const inSeconds = made(String(now / SECOND))
  const inMilliseconds = made(String(now))
  const text = made('any text')
  const ahead = made(String(now / SECOND + 2 * 86_400))
  assert.deepEqual([await enter(inSeconds), await enter(inMilliseconds), await enter(text)], [1, 1, 1])
  assert.equal(await enter(ahead), 'invalid_sandbox_token')
  assert.equal(await enter({ ...text, s_ctx_ts: 'other text' }), 'invalid_sandbox_token')
  app.ctx.clock.advance(DAY)
  assert.deepEqual([await enter(inSeconds), await enter(inMilliseconds)], [1, 1])
  app.ctx.clock.advance(SECOND)
  const over = 'invalid_sandbox_token'
  assert.deepEqual([await enter(inSeconds), await enter(inMilliseconds), await enter(text)], [over, over, 1])
})

test('a product may take issued tokens only', async () => {
  const take = async (accepts_client_sandbox_tokens: boolean) => {
    const body = { setting_type: 5, data: JSON.stringify({ accepts_client_sandbox_tokens }) }
    assert.equal(
      (await app.call('PUT', `/products/${app.seller.product.id}/settings.json`, { body })).status,
      200,
    )
  }
  const { token } = (await issue()).json
  await take(false)
  assert.deepEqual(
    [await enter(made('any text')), await enter({ sandbox: token })],
    ['invalid_sandbox_token', 1],
  )
  assert.equal(await enter(made('any text', app.seller.other), app.seller.other), 1, 'others take both')
  await take(true)
  assert.equal(await enter(made('any text')), 1)
})
