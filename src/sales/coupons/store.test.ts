import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../../test/callers.ts'
import { createAddon, createOffer } from '../../../test/catalogue.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { createSeller, type Seller, type TestProduct } from '../../../test/factories.ts'
import { offerFor } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { payCheckout } from '../../../test/reports.ts'
import { systemScope } from '../../access/scope.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Purchase } from './evaluate.ts'
import { countRedemption } from './redemption-rows.ts'
import { evaluateCode } from './service.ts'

let app: TestApp
let developer: CallAs
let store: CallAs
let stranger: Seller
let addonId: number
before(async () => {
  app = await startTestApp('coupons_store')
  developer = await asDeveloper(app)
  store = asStore(app)
  stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const { product, developer: account, store: shop } = app.seller
  const owned = { productId: product.id, developerId: account.id, storeId: shop.id }
  addonId = await app.write((tx) => createAddon(tx, owned, 'Add-on'))
})
after(() => app.close())

const coupon = (code: string, more: object = {}) => ({
  code,
  discount: 10,
  discount_type: 'percentage',
  ...more,
})
const ofStore = () => `/stores/${app.seller.store.id}/coupons`

async function createInStore(code: string, more: object = {}): Promise<string> {
  const { status, json, text } = await store('POST', '/coupons.json', coupon(code, more))
  assert.equal(status, 201, text)
  return json.id
}

const inProduct = (
  method: 'GET' | 'PUT' | 'DELETE',
  { id, token }: TestProduct,
  path: string,
  body?: unknown,
) => app.call(method, `/products/${id}${path}`, { token, ...(body !== undefined && { body }) })

const purchase = (productId: number, more: Partial<Purchase> = {}): Purchase => ({
  now: '2026-01-31 10:00:00' as UtcTime,
  environment: 0,
  productId,
  isAddon: false,
  planId: 1,
  quota: 1,
  billingCycle: 12,
  currency: 'usd',
  price: 1000,
  buyer: { hasBought: false, hasSubscription: false, isMigrated: false, redeemed: new Set() },
  ...more,
})

const evaluateIn = (
  productId: number,
  code: string,
  more: Partial<Purchase> = {},
  developerId = app.seller.developer.id,
) => evaluateCode(app.ctx, systemScope({ developerId, productId }), code, purchase(productId, more))

test("a store's coupon is managed by the store and by its developer", async () => {
  const id = await createInStore('MANAGED')
  const one = await developer('GET', `${ofStore()}/${id}.json`)
  assert.deepEqual([one.json.entity_type, one.json.entity_id], ['store', String(app.seller.store.id)])
  assert.deepEqual((await store('GET', `/coupons/${id}.json`)).json, one.json)
  assert.equal((await developer('PUT', `${ofStore()}/${id}.json`, { discount: 20 })).json.discount, 20)
  assert.equal((await store('PUT', `/coupons/${id}.json`, { discount: 30 })).json.discount, 30)
  const { json } = await developer('GET', `${ofStore()}.json?code=managed`)
  assert.equal(json.coupons[0].discount, 30)
  assert.equal((await developer('DELETE', `${ofStore()}/${id}.json`)).status, 204)
  assert.equal((await store('GET', `/coupons/${id}.json`)).status, 404)
  const created = await developer('POST', `${ofStore()}.json`, coupon('BY-DEVELOPER'))
  assert.equal(created.status, 201)
})

test('it counts for two products of the store, and for no other store', async () => {
  const id = Number(await createInStore('TWO-PRODUCTS'))
  for (const { id: productId } of [app.seller.product, app.seller.other]) {
    const result = await evaluateIn(productId, ' two-products ')
    assert.equal(result.applies && result.coupon.id, id)
    assert.equal(result.applies && result.amountOff, 100)
  }
  const elsewhere = await evaluateIn(stranger.product.id, 'TWO-PRODUCTS', {}, stranger.developer.id)
  assert.deepEqual(elsewhere, { applies: false, reason: 'coupon_not_found' })
})

test('its redemptions are counted over all products of the store', async () => {
  const id = Number(await createInStore('ONCE', { is_one_per_user: true, redemptions_limit: 2 }))
  const { product, other, developer: account } = app.seller
  const buys = async (productId: number, email: string) => {
    const { pricingId } = await offerFor(app, 1, { product: { id: productId } })
    const scope = systemScope({ developerId: account.id, productId })
    const opened = await app.write((tx) =>
      openSandboxCheckout(tx, scope, { pricingId, email, coupon: 'ONCE' }),
    )
    const { json } = await payCheckout(app, opened, 'test_succeeds')
    return json.error?.code ?? json.state
  }
  assert.equal(await buys(product.id, 'a@example.com'), 'paid')
  assert.equal(await buys(other.id, 'a@example.com'), 'coupon_not_applicable')
  assert.equal(await buys(other.id, 'b@example.com'), 'paid')
  assert.equal(await buys(product.id, 'c@example.com'), 'coupon_used_up')
  assert.deepEqual(await redemptionsOf(app, id), { live: 0, sandbox: 2 })
  const strange = systemScope({ developerId: stranger.developer.id, productId: stranger.product.id })
  const unlimited = Number(await createInStore('UNLIMITED'))
  const counted = { couponId: unlimited, environment: 1 } as const
  assert.equal(await app.write((tx) => countRedemption(tx.db, strange, counted)), undefined)
})

test('a product reads it among its own, and may not change it', async () => {
  const id = await createInStore('READ-ONLY')
  for (const product of [app.seller.product, app.seller.other]) {
    const { json } = await inProduct('GET', product, '/coupons.json?code=read-only')
    assert.deepEqual(
      json.coupons.map((one: { id: string }) => one.id),
      [id],
    )
    assert.equal((await inProduct('GET', product, `/coupons/${id}.json`)).json.entity_type, 'store')
    const update = await inProduct('PUT', product, `/coupons/${id}.json`, { discount: 99 })
    const removal = await inProduct('DELETE', product, `/coupons/${id}.json`)
    assert.deepEqual([update.status, removal.status], [401, 401])
  }
  const strange = await inProduct('GET', stranger.product, '/coupons.json?search=read-only')
  assert.deepEqual(strange.json.coupons, [])
  assert.equal((await inProduct('GET', stranger.product, `/coupons/${id}.json`)).status, 404)
  assert.equal((await store('GET', `/coupons/${id}.json`)).json.discount, 10)
})

test('the lists of a product and of its store are in one order, page by page', async () => {
  const { product } = app.seller
  for (let n = 0; n < 6; n++) {
    if (n % 2 === 0) await createInStore(`MIXED-${n}`)
    else await app.call('POST', `/products/${product.id}/coupons.json`, { body: coupon(`MIXED-${n}`) })
  }
  const codes = async (query: string) =>
    (await inProduct('GET', product, `/coupons.json?${query}`)).json.coupons.map(
      (one: { code: string }) => one.code,
    )
  assert.deepEqual(await codes('count=3'), ['MIXED-5', 'MIXED-4', 'MIXED-3'])
  assert.deepEqual(await codes('count=3&offset=3'), ['MIXED-2', 'MIXED-1', 'MIXED-0'])
  assert.deepEqual(await codes('prefix=mixed&count=2&offset=2'), ['MIXED-2', 'MIXED-3'])
  const { json } = await store('GET', '/coupons.json?prefix=mixed')
  assert.deepEqual(
    json.coupons.map((one: { code: string }) => one.code),
    ['MIXED-0', 'MIXED-2', 'MIXED-4'],
  )
})

test("a store's address has its own coupons only, and only for whom it belongs to", async () => {
  const { product } = app.seller
  const own = await app.call('POST', `/products/${product.id}/coupons.json`, { body: coupon('OF-PRODUCT') })
  assert.equal((await store('GET', `/coupons/${own.json.id}.json`)).status, 404)
  assert.equal((await store('PUT', `/coupons/${own.json.id}.json`, { discount: 1 })).status, 404)
  const strange = `/stores/${stranger.store.id}/coupons`
  const theirs = await asStore(app, stranger.store)('POST', '/coupons.json', coupon('THEIRS'))
  assert.equal(theirs.status, 201)
  const calls = [
    developer('GET', `${strange}.json`),
    developer('POST', `${strange}.json`, coupon('X')),
    developer('GET', `${strange}/${theirs.json.id}.json`),
    developer('PUT', `${strange}/${theirs.json.id}.json`, { discount: 101 }),
    developer('DELETE', `${strange}/${theirs.json.id}.json`),
    developer('GET', `${ofStore()}/${theirs.json.id}.json`),
  ]
  for (const { status, text } of await Promise.all(calls)) assert.equal(status, 404, text)
  assert.equal((await developer('PUT', '/stores/x/coupons/1.json', { discount: 1 })).status, 400)
})

test('it may name plans of every product of its store, a product’s those of its add-ons too', async () => {
  const { developer: account, product, other } = app.seller
  const offer = (developerId: number, productId: number, name: string) =>
    app.write(async (tx) => (await createOffer(tx, { developerId, productId }, name)).planId)
  const plans = [
    await offer(account.id, product.id, 'one'),
    await offer(account.id, addonId, 'extra'),
    await offer(account.id, other.id, 'two'),
  ]
  const foreign = await offer(stranger.developer.id, stranger.product.id, 'three')
  const inStore = (list: readonly number[]) =>
    store('POST', '/coupons.json', coupon('PLANS', { plans: list.join(',') }))
  assert.equal((await inStore(plans)).status, 201)
  assert.equal((await inStore([foreign])).status, 400)
  const ofProduct = (list: readonly (number | undefined)[]) =>
    app.call('POST', `/products/${product.id}/coupons.json`, {
      body: coupon('PLANS', { plans: list.join(',') }),
    })
  assert.equal((await ofProduct(plans.slice(0, 2))).status, 201)
  assert.equal((await ofProduct(plans)).status, 400)
})

test("of one code a product's coupon comes before its parent's and its store's", async () => {
  const { product } = app.seller
  await createInStore('RANK', { discount: 30, has_addons_discount: true })
  await app.call('POST', `/products/${product.id}/coupons.json`, {
    body: coupon('RANK', { discount: 20, has_addons_discount: true }),
  })
  const inAddon = () => evaluateIn(addonId, 'RANK', { isAddon: true })
  const fromParent = await inAddon()
  assert.equal(fromParent.applies && fromParent.amountOff, 200)
  await developer('POST', `/products/${addonId}/coupons.json`, coupon('RANK', { discount: 10 }))
  const own = await inAddon()
  assert.equal(own.applies && own.amountOff, 100)
  const elsewhere = await evaluateIn(app.seller.other.id, 'RANK')
  assert.equal(elsewhere.applies && elsewhere.amountOff, 300)
})
