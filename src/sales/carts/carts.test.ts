import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOfCart, productScope, visit } from '../../../test/carts.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { userOf } from '../../../test/licenses.ts'
import { createCoupon } from '../coupons/service.ts'
import { completeCart } from './service.ts'

let app: TestApp
let offer: Offer
let path: string
before(async () => {
  app = await startTestApp('carts')
  offer = await app.write((tx) => createOffer(tx, productScope(app), 'pro'))
  path = `/products/${app.seller.product.id}/carts`
})
after(() => app.close())

const coupon = (code: string) =>
  app.write((tx) =>
    createCoupon(tx, productScope(app), {
      code,
      discount: 20,
      discount_type: 'percentage',
      user_type: 'all',
      has_renewals_discount: false,
      has_addons_discount: false,
      is_one_per_user: false,
      is_active: true,
    }),
  )

const put = (id: number, body: object) => app.call('PUT', `${path}/${id}.json`, { body })

async function complete(id: number, email: string) {
  const userId = Number(await userOf(app, email))
  return app.write((tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 4999 }))
}

const mailed = (id: number) =>
  app.write((tx) => tx.db.updateTable('carts').set({ status: 'email_1_sent' }).where('id', '=', id).execute())

test('a cart says what a visit told of it, and enriched what it costs', async () => {
  const cart = await visit(app, {
    email: ' Ann@Example.com ',
    first: 'Ann',
    plan_id: offer.planId,
    pricing_id: offer.pricingId,
    mode: 'page',
    ip: '198.51.100.7',
    url: 'https://shop.example.com/buy',
    country_code: 'de',
  })
  const { json, status } = await app.call('GET', `${path}/${cart.id}.json`)
  assert.equal(status, 200)
  assert.deepEqual(json, {
    id: String(cart.id),
    created: '2026-01-31 10:00:00',
    updated: null,
    status: 'visit',
    mode: 'page',
    payment_method: 'cc',
    plugin_id: String(app.seller.product.id),
    plan_id: String(offer.planId),
    pricing_id: String(offer.pricingId),
    is_trial: false,
    billing_cycle: 12,
    install_id: null,
    coupon_id: null,
    country_code: 'de',
    zip_postal_code: '',
    vat_id: null,
    user_id: null,
    email: 'Ann@Example.com',
    first: 'Ann',
    last: '',
    ip: '198.51.100.7',
    url: 'https://shop.example.com/buy',
    environment: 0,
    is_disabled: false,
    is_unsubscribed: false,
    visited: '2026-01-31 10:00:00',
    completed: null,
    price: 49.99,
  })
  const enriched = await app.call('GET', `${path}/${cart.id}.json?enriched=true`)
  assert.deepEqual(enriched.json, {
    ...json,
    currency: 'usd',
    gross: 49.99,
    coupon_code: null,
    licenses: 1,
  })
  const listed = await app.call('GET', `${path}.json?enriched=true&email=ANN@example.com&fields=id,gross`)
  assert.deepEqual(listed.json, { carts: [{ id: String(cart.id), gross: 49.99 }] })
})

test('an update writes what is given, leaves the rest, and is told once', async () => {
  const cart = await visit(app, { email: 'bob@example.com', first: 'Bob' })
  const body = { plan_id: offer.planId, pricing_id: String(offer.pricingId), country_code: 'GB', last: 'B' }
  const { json, status, text } = await put(cart.id, body)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [json.plan_id, json.pricing_id, json.price, json.country_code, json.first, json.last, json.updated],
    [String(offer.planId), String(offer.pricingId), 49.99, 'gb', 'Bob', 'B', '2026-01-31 10:00:00'],
  )
  assert.equal((await put(cart.id, body)).status, 200)
  assert.equal((await put(cart.id, {})).status, 200)
  assert.deepEqual(await eventsOfCart(app, cart.id), ['cart.created', 'cart.updated'])
  const { json: events } = await app.call('GET', `${path}/${cart.id}/events.json?count=1`)
  assert.equal(events.events[0].objects.cart.id, String(cart.id))
  assert.equal(events.events[0].data.to.country_code, 'gb')
})

test('a coupon is changed by its id and its code together, which belong to each other', async () => {
  const cart = await visit(app, {
    email: 'cid@example.com',
    plan_id: offer.planId,
    pricing_id: offer.pricingId,
  })
  const { id } = await coupon('TWENTY')
  const other = await coupon('OTHER')
  const alone = await put(cart.id, { coupon_id: id })
  assert.deepEqual([alone.status, alone.json.error.details[0].field], [402, 'coupon_code'])
  const code = await put(cart.id, { coupon_code: 'TWENTY' })
  assert.deepEqual([code.status, code.json.error.details[0].field], [402, 'coupon_id'])
  const wrong = await put(cart.id, { coupon_id: other.id, coupon_code: 'TWENTY' })
  assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'coupon_not_found'])
  const right = await put(cart.id, { coupon_id: id, coupon_code: 'twenty' })
  assert.deepEqual([right.status, right.json.coupon_id, right.json.price], [200, id, 49.99])
  const enriched = async () => (await app.call('GET', `${path}/${cart.id}.json?enriched=1`)).json
  assert.deepEqual(
    [(await enriched()).gross, (await enriched()).coupon_code, (await enriched()).licenses],
    [39.99, 'TWENTY', 1],
  )
  assert.equal((await put(cart.id, { coupon_code: null })).json.coupon_id, null)
  assert.equal((await enriched()).gross, 49.99)
})

test('a plan, a price and a cycle are those that the product sells', async () => {
  const cart = await visit(app, {
    email: 'dan@example.com',
    plan_id: offer.planId,
    pricing_id: offer.pricingId,
  })
  const foreign = await app.write((tx) =>
    createOffer(tx, { developerId: app.seller.developer.id, productId: app.seller.other.id }, 'foreign'),
  )
  const second = await app.write((tx) => createOffer(tx, productScope(app), 'second'))
  for (const [body, field] of [
    [{ plan_id: foreign.planId }, 'plan_id'],
    [{ pricing_id: foreign.pricingId }, 'pricing_id'],
    [{ pricing_id: second.pricingId }, 'pricing_id'],
    [{ billing_cycle: 0 }, 'billing_cycle'],
    [{ billing_cycle: 3 }, 'billing_cycle'],
  ] as const) {
    const { status, json } = await put(cart.id, body)
    assert.deepEqual([status, json.error.details[0].field], [400, field])
  }
  const changed = await put(cart.id, { plan_id: second.planId })
  assert.deepEqual([changed.json.pricing_id, changed.json.price], [null, 0])
})

test('a completed cart is changed no more, and is completed once, however many try at once', async () => {
  const cart = await visit(app, { email: 'eve@example.com' })
  const results = await Promise.all(Array.from({ length: 8 }, () => complete(cart.id, 'eve@example.com')))
  assert.equal(results.filter((one) => one !== undefined).length, 1)
  assert.deepEqual(await eventsOfCart(app, cart.id), ['cart.created', 'cart.completed'])
  const refused = await put(cart.id, { first: 'Eva' })
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'cart_completed'])
  const { json } = await app.call('GET', `${path}/${cart.id}.json?enriched=true`)
  assert.deepEqual(
    [json.status, json.completed, json.first, json.gross],
    ['completed', '2026-01-31 10:00:00', '', 49.99],
  )
  assert.equal((await put(999_999, { first: 'Eva' })).status, 404)
})

test('visits of one browser are one cart while it is open, however many come at once', async () => {
  const both = { email: 'fay@example.com', visitor: 'a browser that is known' }
  const carts = await Promise.all(Array.from({ length: 8 }, () => visit(app, both)))
  assert.equal(new Set(carts.map(({ id }) => id)).size, 1)
  const [first] = carts
  const again = await visit(app, { visitor: both.visitor, email: 'FAY@example.com', first: 'Fay' })
  assert.deepEqual([again.id, again.email, again.first], [first?.id, 'FAY@example.com', 'Fay'])
  const sandbox = await visit(app, { ...both, environment: 1 })
  assert.notEqual(sandbox.id, first?.id)
  await complete(again.id, 'fay@example.com')
  const next = await visit(app, both)
  assert.ok(next.id > again.id)
})

test('who typed another address in a cart that was not given up has the same cart, else another one', async () => {
  const visitor = 'a browser of two people'
  const cart = await visit(app, { visitor, email: 'gus@example.com' })
  const corrected = await visit(app, { visitor, email: 'gusto@example.com' })
  assert.deepEqual([corrected.id, corrected.email], [cart.id, 'gusto@example.com'])
  await mailed(cart.id)
  const same = await visit(app, { visitor, email: 'GUSTO@example.com', first: 'Gus' })
  assert.deepEqual([same.id, same.status], [cart.id, 'email_1_sent'])
  for (const email of ['lea@example.com', 'leah@example.com']) {
    const other = await visit(app, { visitor, email })
    assert.ok(other.id > cart.id)
    assert.deepEqual([other.status, other.first], ['visit', ''])
  }
  const { json } = await app.call('GET', `${path}/${cart.id}.json`)
  assert.deepEqual([json.status, json.email], ['email_1_sent', 'GUSTO@example.com'])
})

test('an address about which another open cart was mailed is refused', async () => {
  const carts = [
    await visit(app, { email: 'hal@example.com' }),
    await visit(app, { email: 'hal2@example.com' }),
  ]
  for (const { id } of carts) await mailed(id)
  const rename = () => put(carts[1]?.id ?? 0, { email: 'HAL@example.com' })
  const { status, json } = await rename()
  assert.deepEqual([status, json.error.code], [400, 'cart_email_taken'])
  await complete(carts[0]?.id ?? 0, 'hal@example.com')
  assert.equal((await rename()).json.email, 'HAL@example.com')
})

test('the events of a cart come page by page, the newest first', async () => {
  const cart = await visit(app, { email: 'pia@example.com' })
  for (const first of ['Pia', 'Mia']) assert.equal((await put(cart.id, { first })).status, 200)
  const page = async (query: string) => {
    const { json } = await app.call('GET', `${path}/${cart.id}/events.json${query}`)
    const events = json.events as { type: string; data: { to?: { first: string } } }[]
    return events.map(({ type, data }) => data.to?.first ?? type)
  }
  assert.deepEqual(await page(''), ['Mia', 'Pia', 'cart.created'])
  assert.deepEqual(await page('?count=2'), ['Mia', 'Pia'])
  assert.deepEqual(await page('?count=2&offset=2'), ['cart.created'])
})

test('a cart is deleted once, and its events stay', async () => {
  const cart = await visit(app, { email: 'ida@example.com' })
  assert.equal((await app.call('DELETE', `${path}/${cart.id}.json`)).status, 204)
  assert.equal((await app.call('DELETE', `${path}/${cart.id}.json`)).status, 404)
  assert.equal((await app.call('GET', `${path}/${cart.id}/events.json`)).status, 404)
  const { json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/events.json?type=cart.created&count=1`,
  )
  assert.equal(json.events[0].objects.cart, false)
})

test("another product's cart is not found", async () => {
  const cart = await visit(app, { email: 'jim@example.com' })
  const other = { token: app.seller.other.token }
  const elsewhere = `/products/${app.seller.other.id}/carts`
  for (const end of [`/${cart.id}.json`, `/${cart.id}/events.json`]) {
    assert.equal((await app.call('GET', elsewhere + end, other)).status, 404)
  }
  assert.deepEqual((await app.call('GET', `${elsewhere}.json`, other)).json, { carts: [] })
  const put404 = await app.call('PUT', `${elsewhere}/${cart.id}.json`, { ...other, body: { first: 'X' } })
  assert.equal(put404.status, 404)
  assert.equal((await app.call('DELETE', `${elsewhere}/${cart.id}.json`, other)).status, 404)
})

test('each filter keeps its stored states, and a page is of 50', async () => {
  const statuses = ['pricing_visit', 'visit', 'abandoned', 'email_1_sent', 'email_3_sent', 'recovered']
  for (const [n, status] of statuses.entries()) {
    const cart = await visit(app, { email: `state${n}@example.com` })
    const isOver = status === 'recovered' || status === 'email_3_sent'
    await app.ctx.database.transaction((db) =>
      db
        .updateTable('carts')
        .set({ status: status as 'visit', ...(isOver && { recover_at: null }) })
        .where('id', '=', cart.id)
        .execute(),
    )
  }
  const found = async (filter: string) => {
    const { json } = await app.call('GET', `${path}.json?filter=${filter}&fields=status,email`)
    const carts = json.carts as { status: string; email: string }[]
    return carts.filter(({ email }) => email.startsWith('state')).map(({ status }) => status)
  }
  assert.deepEqual(await found('active'), ['visit', 'pricing_visit'])
  assert.deepEqual(await found('abandoned'), ['email_3_sent', 'email_1_sent', 'abandoned'])
  assert.deepEqual(await found('recovery'), ['email_1_sent', 'abandoned'])
  assert.deepEqual(await found('recovered'), ['recovered'])
  assert.deepEqual(await found('completed'), [])
  assert.equal((await found('all')).length, 6)
  assert.equal((await app.call('GET', `${path}.json?filter=other`)).status, 400)
  for (let n = 0; n < 45; n++) await visit(app, { email: `many${n}@example.com` })
  const page = (await app.call('GET', `${path}.json`)).json.carts
  assert.equal(page.length, 50)
  const rest = (await app.call('GET', `${path}.json?offset=50&count=1`)).json.carts
  assert.ok(Number(rest[0].id) < Number(page.at(-1).id))
  assert.equal((await app.call('GET', `${path}.json?count=51`)).status, 400)
})
