// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../test/app.ts'
import type { CallAs } from '../../test/callers.ts'
import { startMailing } from '../../test/mail-senders.ts'

const SERVER = 'Keywright <no-reply@keywright.test>'

let mailing: Awaited<ReturnType<typeof startMailing>>
let app: TestApp
let developer: CallAs
before(async () => {
  mailing = await startMailing('mail_sender')
  app = mailing.app
  developer = mailing.developer
})
after(() => mailing.close())
beforeEach(() => mailing.forget())

const ofStore = (body: object) => mailing.ofStore(body)
const ofProduct = (body: object) => mailing.ofProduct(body)

let count = 0

/** Queues the confirmation of a user of the product; its recipient. */
async function confirm({ id, token } = app.seller.product): Promise<string> {
  const email = `reader${++count}@example.com`
  const body = { email, name: 'Some Body' }
  const { status, text } = await app.call('POST', `/products/${id}/users.json`, { body, token })
  assert.equal(status, 200, text)
  return email
}

const fromOf = async (email: string) => {
  const headers = await mailing.deliveredTo(email)
  return [headers.get('From'), headers.get('Sender')]
}

test("a confirmation comes from the product's address, and says that this server sends it", async () => {
  await ofStore({ dont_reply: 'store@shop.example.com', dont_reply_name: 'The Store' })
  await ofProduct({ dont_reply: 'product@shop.example.com', dont_reply_name: 'The Product' })
  assert.deepEqual(await fromOf(await confirm()), ['The Product <product@shop.example.com>', SERVER])
})

test('what the product does not say it inherits from its store, column by column; another product inherits all', async () => {
  await ofStore({ dont_reply: 'store@shop.example.com', dont_reply_name: 'The Store' })
  await ofProduct({ dont_reply_name: 'The Product' })
  assert.deepEqual(await fromOf(await confirm()), ['The Product <store@shop.example.com>', SERVER])
  assert.deepEqual(await fromOf(await confirm(app.seller.other)), [
    'The Store <store@shop.example.com>',
    SERVER,
  ])
})

test('a product inherits from the store that its addresses name with store_id, and its own one again without them', async () => {
  const made = await developer('POST', '/stores.json', { title: 'The Second' })
  assert.equal(made.status, 201, made.text)
  const second = Number(made.json.id)
  await ofStore({ dont_reply: 'first@shop.example.com', dont_reply_name: 'First' })
  await mailing.put(`/stores/${second}`, { dont_reply: 'second@shop.example.com' })
  await ofProduct({ store_id: second, support: 'help@shop.example.com' })
  const path = `/products/${app.seller.product.id}/emails/addresses.json`
  assert.equal((await developer('GET', path)).json.store_id, second)
  assert.deepEqual(await fromOf(await confirm()), ['The Second <second@shop.example.com>', SERVER])
  assert.deepEqual(await fromOf(await confirm(app.seller.other)), ['First <first@shop.example.com>', SERVER])
  await ofProduct({ support: null })
  assert.deepEqual(
    await fromOf(await confirm()),
    ['The Second <second@shop.example.com>', SERVER],
    'it stays',
  )
  await ofProduct({ store_id: app.seller.store.id })
  assert.deepEqual(await fromOf(await confirm()), ['First <first@shop.example.com>', SERVER])
  await ofProduct({ store_id: second })
  assert.equal((await developer('DELETE', path)).status, 204)
  assert.deepEqual(await fromOf(await confirm()), ['First <first@shop.example.com>', SERVER])
})

test('without an address for mail that wants no answer it is the general one', async () => {
  await ofStore({
    general: 'hello@shop.example.com',
    general_name: 'Hello',
    support: 'help@shop.example.com',
  })
  assert.deepEqual(await fromOf(await confirm()), ['Hello <hello@shop.example.com>', SERVER])
})

test('without any address it comes from this server', async () => {
  await ofStore({ support: 'help@shop.example.com' })
  assert.deepEqual(await fromOf(await confirm()), [SERVER, undefined])
})

test('the sender is the one at the time of the confirmation', async () => {
  await ofStore({ general: 'before@shop.example.com' })
  const email = await confirm()
  await ofStore({ general: 'after@shop.example.com' })
  assert.deepEqual(await fromOf(email), ['Store <before@shop.example.com>', SERVER])
})

test('without a name it is that of the store', async () => {
  const store = `/stores/${app.seller.store.id}.json`
  await developer('PUT', store, { title: 'Aurora' })
  await ofProduct({ general: 'hello@shop.example.com' })
  assert.deepEqual(await fromOf(await confirm()), ['Aurora <hello@shop.example.com>', SERVER])
  await ofProduct({ general: 'hello@shop.example.com', general_name: '' })
  assert.deepEqual(await fromOf(await confirm()), ['Aurora <hello@shop.example.com>', SERVER])
  await developer('PUT', store, { title: 'Store' })
})

test('a name with commas, quotes and other letters is one name, and adds no address', async () => {
  for (const [name, from] of [
    ['Smith, "Joe" <a@evil.example>', '"Smith, \\"Joe\\" <a@evil.example>" <shop@example.com>'],
    ['Größe, 鍵', /^=\?UTF-8\?[QB]\?[!-~]+\?= <shop@example\.com>$/],
  ] as const) {
    await ofProduct({ general: 'shop@example.com', general_name: name })
    const [header = ''] = await fromOf(await confirm())
    if (typeof from === 'string') assert.equal(header, from)
    else assert.match(header, from)
  }
})
