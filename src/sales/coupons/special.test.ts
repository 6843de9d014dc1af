import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { asStore } from '../../../test/callers.ts'
import { SPECIAL_TYPES } from '../../db/tables/coupons.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('special_coupons')
})
after(() => app.close())
beforeEach(() => app.write(({ db }) => db.deleteFrom('special_coupons').execute()))

const call = (method: Method, path: string, body?: object) =>
  app.call(method, `/products/${app.seller.product.id}/coupons${path}`, body ? { body } : {})

async function create(more: object = {}): Promise<string> {
  const body = { code: 'SPECIAL', discount: 20, discount_type: 'dollar', discounts: { eur: 18 }, ...more }
  const { status, json, text } = await call('POST', '.json', body)
  assert.equal(status, 201, text)
  return json.id
}
const special = async (query = '') => (await call('GET', `/special.json${query}`)).json.coupon_entities
const eventsAbout = async (id: string) => {
  const { json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/events.json?type=coupon.updated&count=50`,
  )
  return json.events.filter((event: { data: { coupon_id: string } }) => event.data.coupon_id === id)
}

test('a special coupon is answered with 201 and its record', async () => {
  const id = await create({ has_renewals_discount: true })
  const { status, json } = await call('PUT', `/${id}/special/cart_recovery.json`)
  assert.equal(status, 201)
  assert.match(json.id, /^\d+$/)
  assert.deepEqual(json, {
    id: json.id,
    created: '2026-01-31 10:00:00',
    updated: null,
    coupon_id: Number(id),
    entity_id: String(app.seller.product.id),
    entity_type: 2,
    type: 'cart_recovery',
    code: 'SPECIAL',
    redemptions: 0,
    discount: 20,
    discount_type: 'dollar',
    discounts: { usd: 20, eur: 18, gbp: 20 },
    has_renewals_discount: true,
  })
  assert.deepEqual(await special(), [json])
})

test('the six types are listed, or one of them; any other is 400', async () => {
  const id = await create({ discount_type: 'percentage', discounts: {} })
  for (const type of SPECIAL_TYPES)
    assert.equal((await call('PUT', `/${id}/special/${type}.json`)).status, 201)
  assert.deepEqual(
    (await special()).map(({ type }: { type: string }) => type),
    SPECIAL_TYPES,
  )
  const [one, ...rest] = await special('?type=subscription_cancellation')
  assert.deepEqual(
    [one.type, one.coupon_id, one.discounts, rest],
    ['subscription_cancellation', Number(id), {}, []],
  )
  assert.equal((await call('PUT', `/${id}/special/birthday.json`)).status, 400)
  assert.equal((await call('GET', '/special.json?type=birthday')).status, 400)
})

test('there is one of a type: a later coupon takes its place, the same one changes nothing', async () => {
  const [first, second] = [await create(), await create()]
  const { json } = await call('PUT', `/${first}/special/exit_intent.json`)
  assert.deepEqual((await call('PUT', `/${first}/special/exit_intent.json`)).json, json)
  assert.equal((await eventsAbout(first)).length, 1)
  await call('PUT', `/${second}/special/exit_intent.json`)
  const [now, ...rest] = await special()
  assert.deepEqual([now.coupon_id, now.updated, rest], [Number(second), '2026-01-31 10:00:00', []])
  assert.equal((await call('DELETE', `/${first}/special/exit_intent.json`)).status, 404)
  assert.equal((await special()).length, 1)
})

test('twenty coupons that are made special of one type at once leave one', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => create()))
  const statuses = await Promise.all(
    ids.map(async (id) => (await call('PUT', `/${id}/special/affiliate.json`)).status),
  )
  assert.deepEqual([...new Set(statuses)], [201])
  const [last, ...rest] = await special()
  assert.deepEqual(rest, [])
  const told = (await Promise.all(ids.map(eventsAbout))).flat()
  const replaced = told.map(({ data }) => data.from?.coupon_id ?? null)
  const others = ids.filter((id) => id !== String(last.coupon_id))
  assert.deepEqual(replaced.toSorted(), [...others, null].toSorted(), 'each names the one it replaced')
})

test('a coupon that is deleted while it is made special is special nowhere', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await create()
    const makes = SPECIAL_TYPES.map((type) => call('PUT', `/${id}/special/${type}.json`))
    const replies = await Promise.all([...makes, call('DELETE', `/${id}.json`)])
    assert.ok(replies.every(({ status }) => [201, 204, 404].includes(status)))
    assert.deepEqual(await app.ctx.db.selectFrom('special_coupons').selectAll().execute(), [])
  }
})

test('the purpose ends with 204, and is then 404', async () => {
  const id = await create()
  await call('PUT', `/${id}/special/renewals_discount.json`)
  assert.equal((await call('DELETE', `/${id}/special/renewals_discount.json`)).status, 204)
  assert.equal((await call('DELETE', `/${id}/special/renewals_discount.json`)).status, 404)
  assert.deepEqual(await special(), [])
  assert.deepEqual(
    (await eventsAbout(id)).map(({ data }: { data: { from: unknown; to: unknown } }) => [data.from, data.to]),
    [
      [{ special: 'renewals_discount', coupon_id: id }, null],
      [null, { special: 'renewals_discount', coupon_id: id }],
    ],
  )
})

test('a deleted coupon is special no more', async () => {
  const id = await create()
  await call('PUT', `/${id}/special/cart_recovery.json`)
  await call('DELETE', `/${id}.json`)
  assert.deepEqual(await special(), [])
})

test("a coupon of the store can be special in a product, another product's cannot", async () => {
  const { json } = await asStore(app)('POST', '/coupons.json', {
    code: 'S',
    discount: 5,
    discount_type: 'percentage',
  })
  assert.equal((await call('PUT', `/${json.id}/special/cart_recovery.json`)).status, 201)
  const own = await create()
  const { id, token } = app.seller.other
  const strange = await app.call('PUT', `/products/${id}/coupons/${own}/special/cart_recovery.json`, {
    token,
  })
  assert.equal(strange.status, 404)
  const others = await app.call('GET', `/products/${id}/coupons/special.json`, { token })
  assert.deepEqual(others.json, { coupon_entities: [] })
})
