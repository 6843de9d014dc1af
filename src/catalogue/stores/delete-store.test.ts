import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, signing, type CallAs } from '../../../test/callers.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { asMember } from '../../../test/team.ts'
import { scopeOf } from '../../../test/sales.ts'
import { createAccount } from '../sellers/create-seller.ts'
import { deleteStore } from './delete-store.ts'

let app: TestApp
let stranger: Seller
let developer: CallAs
before(async () => {
  app = await startTestApp('delete-store')
  stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  developer = await asDeveloper(app)
})
after(() => app.close())

let opened = 0
const open = async (call = developer) =>
  (await call('POST', '/stores.json', { title: `Store ${++opened}` })).json as {
    id: string
    public_key: string
    secret_key: string
  }
const remove = async (id: string | number, call = developer) => {
  const { status, json } = await call('DELETE', `/stores/${id}.json`)
  return [status, json?.error?.code]
}
const isThere = async (id: string | number) =>
  (await app.ctx.db.selectFrom('stores').select('id').where('id', '=', Number(id)).executeTakeFirst()) !==
  undefined

test('an empty store goes with its sender addresses and keys, and is told of; others stay', async () => {
  const store = await open()
  const other = await open()
  for (const { id } of [store, other]) {
    const path = `/stores/${id}`
    await developer('PUT', `${path}/emails/addresses.json`, { support: 'help@example.com' })
    assert.equal((await developer('POST', `${path}/keys.json`, {})).status, 200)
  }
  assert.deepEqual(await remove(store.id), [204, undefined])
  assert.deepEqual(await remove(store.id), [404, 'not_found'])
  assert.deepEqual([await isThere(store.id), await isThere(other.id)], [false, true])
  const keys = { publicKey: store.public_key, secretKey: store.secret_key, id: Number(store.id) }
  const signed = signing(app, { keys, scheme: 'FS', prefix: `/stores/${store.id}` })
  assert.equal((await signed('GET', '.json')).status, 401)
  const { db } = app.ctx
  const addresses = await db.selectFrom('email_addresses').select('store_id').execute()
  assert.deepEqual(addresses, [{ store_id: Number(other.id) }])
  const former = await db.selectFrom('former_keys').select('owner_id').where('owner', '=', 'stores').execute()
  assert.deepEqual(former, [{ owner_id: Number(other.id) }])
  const [{ type, data }] = (await developer('GET', '/events.json?count=1')).json.events
  assert.deepEqual([type, data], ['store.deleted', { store_id: store.id }])
})

test('a store that has a product, a coupon or one that was deleted, or a sender address is not deleted', async () => {
  const ofProduct = await open()
  assert.equal(
    (await developer('POST', `/stores/${ofProduct.id}/products.json`, { title: 'In it' })).status,
    200,
  )
  const ofCoupon = await open()
  const coupons = `/stores/${ofCoupon.id}/coupons`
  const { id } = (
    await developer('POST', `${coupons}.json`, { code: 'INSTORE', discount: 10, discount_type: 'percentage' })
  ).json
  assert.ok(id)
  assert.deepEqual(await remove(ofCoupon.id), [400, 'store_in_use'])
  await developer('DELETE', `${coupons}/${id}.json`)
  const ofAddress = await open()
  const addresses = `/products/${app.seller.product.id}/emails/addresses.json`
  const named = await developer('PUT', addresses, { store_id: ofAddress.id, support: 'a@example.com' })
  assert.ok(named.status < 300, named.text)
  for (const store of [ofProduct, ofCoupon, ofAddress]) {
    assert.deepEqual(await remove(store.id), [400, 'store_in_use'])
    assert.ok(await isThere(store.id))
  }
})

test('the only store of an account stays, also when its last two are deleted at once', async () => {
  for (let n = 0; n < 4; n++) {
    const account = await app.write((tx) =>
      createAccount(tx, {
        developer: { email: `shop${n}@example.com`, first: 'Shop', last: '', passwordHash: null },
        storeTitle: 'First',
      }),
    )
    const theirs = await asDeveloper(app, account.developer)
    const second = await open(theirs)
    const replies = await Promise.all([account.store.id, second.id].map((id) => remove(id, theirs)))
    assert.deepEqual(replies.map(([status, code]) => `${status} ${code}`).toSorted(), [
      '204 undefined',
      '400 last_store',
    ])
  }
})

test('a product that is added while its store is deleted is in it or refused, and never in none', async () => {
  for (let n = 0; n < 8; n++) {
    const { id } = await open()
    const [made, [status]] = await Promise.all([
      developer('POST', `/stores/${id}/products.json`, { title: `Raced ${n}` }),
      remove(id),
    ])
    assert.ok([200, 400, 404].includes(made.status), made.text)
    assert.equal(made.status === 200, status === 400, `${made.status} beside ${status}`)
    assert.equal(await isThere(id), status === 400)
  }
})

test('a deletion that is broken off at any statement leaves the store as it was', async () => {
  for (const way of ['fails', 'is cut'] as const) {
    const { id } = await open()
    await developer('PUT', `/stores/${id}/emails/addresses.json`, { support: 'help@example.com' })
    await developer('POST', `/stores/${id}/keys.json`, {})
    const changed = await cutEverywhere(app, way, (tx) => deleteStore(tx, scopeOf(app), Number(id)))
    assert.deepEqual(
      changed.filter((table) => table !== 'list_marks').toSorted(),
      ['email_addresses', 'events', 'former_keys', 'stores'],
      way,
    )
  }
})

test('a store is deleted by its account alone, and by a role that may change the catalogue', async () => {
  const store = await open()
  const theirs = await asDeveloper(app, stranger.developer)
  assert.deepEqual(await remove(store.id, theirs), [404, 'not_found'])
  const support = await asMember(app, 'support')
  assert.equal((await support('DELETE', `/stores/${store.id}.json`)).status, 401)
  const keys = { publicKey: store.public_key, secretKey: store.secret_key, id: Number(store.id) }
  const signed = signing(app, { keys, scheme: 'FS', prefix: `/stores/${store.id}` })
  assert.notEqual((await signed('DELETE', '.json')).status, 204)
  assert.ok(await isThere(store.id))
})
