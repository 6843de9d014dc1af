import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type CallOptions, type Method, type TestApp } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'

let app: TestApp
let plans: { own: number; second: number; other: number }
before(async () => {
  app = await startTestApp('coupons')
  const { developer, product, other } = app.seller
  const offer = (productId: number, name: string) =>
    app.write(async (tx) => (await createOffer(tx, { developerId: developer.id, productId }, name)).planId)
  plans = {
    own: await offer(product.id, 'starter'),
    second: await offer(product.id, 'professional'),
    other: await offer(other.id, 'starter'),
  }
})
after(() => app.close())

const call = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.product.id}${path}`, options)
const otherCall = (method: Method, path: string, options?: CallOptions) =>
  app.call(method, `/products/${app.seller.other.id}${path}`, { token: app.seller.other.token, ...options })

const half = (more: object = {}) => ({ code: 'HALF', discount: 50, discount_type: 'percentage', ...more })

async function create(more: object = {}) {
  const { status, json, text } = await call('POST', '/coupons.json', { body: half(more) })
  assert.equal(status, 201, text)
  return json as Record<string, unknown> & { id: string }
}

const rowsOf = () => app.ctx.db.selectFrom('coupons').selectAll().orderBy('id').execute()
const eventsOf = async (id: string) => {
  const { json } = await call('GET', '/events.json?count=50')
  const events = json.events as { type: string; data: { coupon_id: string } }[]
  return events.filter(({ type, data }) => type.startsWith('coupon.') && data.coupon_id === id)
}
const detailsOf = (reply: { json: { error: { details: { field: string; message: string }[] } } }) =>
  Object.fromEntries(reply.json.error.details.map(({ field, message }) => [field, message]))

test('a created coupon can be read back, every field present, the rest by default', async () => {
  const created = await create({ code: ' Half Off ' })
  const read = await call('GET', `/coupons/${created.id}.json`)
  assert.deepEqual(read.json, created)
  const { id, ...rest } = created
  assert.match(id, /^[1-9]\d*$/)
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    updated: null,
    entity_id: String(app.seller.product.id),
    entity_type: 'plugin',
    plans: null,
    licenses: null,
    billing_cycles: null,
    code: 'Half Off',
    discount: 50,
    discount_type: 'percentage',
    start_date: '2026-01-31 10:00:00',
    end_date: '9999-12-31 23:59:59',
    redemptions: 0,
    redemptions_limit: null,
    has_renewals_discount: false,
    has_addons_discount: false,
    is_one_per_user: false,
    is_active: true,
    user_type: 'all',
    source: 0,
  })
})

test('lists are kept in ascending order, each number once, and an empty one is all', async () => {
  const coupon = await create({
    plans: `${plans.second}, ${plans.own},${plans.own}`,
    licenses: '10,1,0',
    billing_cycles: '12,0,1',
  })
  assert.equal(coupon['plans'], `${plans.own},${plans.second}`)
  assert.equal(coupon['licenses'], '0,1,10')
  assert.equal(coupon['billing_cycles'], '0,1,12')
  const { json } = await call('PUT', `/coupons/${coupon.id}.json`, {
    body: { plans: '', licenses: null, billing_cycles: ' ' },
  })
  assert.deepEqual([json.plans, json.licenses, json.billing_cycles], [null, null, null])
})

test('a date alone starts with its first second and ends with its last', async () => {
  const coupon = await create({ start_date: '2026-02-01', end_date: '2026-02-01' })
  assert.equal(coupon['start_date'], '2026-02-01 00:00:00')
  assert.equal(coupon['end_date'], '2026-02-01 23:59:59')
  const { json } = await call('PUT', `/coupons/${coupon.id}.json`, {
    body: { start_date: null, end_date: null },
  })
  assert.equal(json.start_date, '2026-01-31 10:00:00')
  assert.equal(json.end_date, '9999-12-31 23:59:59')
})

test('what is missing is 402', async () => {
  const reply = await call('POST', '/coupons.json', { body: {} })
  assert.equal(reply.status, 402)
  assert.deepEqual(Object.keys(detailsOf(reply)), ['code', 'discount', 'discount_type'])
})

test('a percentage is whole and at most 100', async () => {
  for (const discount of [101, -1, 12.5, '12.5', null, 'half']) {
    const reply = await call('POST', '/coupons.json', { body: half({ discount }) })
    assert.equal(reply.status, 400, String(discount))
    assert.equal(reply.json.error.code, 'invalid_argument')
    assert.deepEqual(Object.keys(detailsOf(reply)), ['discount'], String(discount))
  }
  for (const discount of [0, 100, '100']) {
    assert.equal((await create({ discount }))['discount'], Number(discount))
  }
})

test('everything malformed is named at once, and nothing is stored', async () => {
  const before = await rowsOf()
  const reply = await call('POST', '/coupons.json', {
    body: {
      code: '  ',
      discount: 5,
      discount_type: 'euros',
      plans: `${plans.own},${plans.other},987654`,
      licenses: '1,-5',
      billing_cycles: '1,6',
      start_date: '2026-02-30',
      end_date: 'soon',
      redemptions_limit: 0,
      user_type: 'everybody',
      is_active: 'perhaps',
      discounts: { eur: 1.5, gbp: 'ten' },
    },
  })
  assert.equal(reply.status, 400)
  const details = detailsOf(reply)
  assert.deepEqual(
    Object.keys(details).toSorted(),
    [
      'billing_cycles',
      'code',
      'discount_type',
      'discounts.eur',
      'discounts.gbp',
      'end_date',
      'is_active',
      'licenses',
      'plans',
      'redemptions_limit',
      'start_date',
      'user_type',
    ].toSorted(),
  )
  assert.equal(details['plans'], `has no plans with the IDs ${plans.other}, 987654`)
  assert.deepEqual(await rowsOf(), before)
})

test('the end is after the start; the refusal names the one that was given', async () => {
  const backwards = { start_date: '2026-03-02', end_date: '2026-03-01' }
  const both = await call('POST', '/coupons.json', { body: half(backwards) })
  assert.deepEqual(detailsOf(both), { end_date: 'must be after start_date' })
  const same = await call('POST', '/coupons.json', {
    body: half({ start_date: '2026-03-01 08:00:00', end_date: '2026-03-01 08:00:00' }),
  })
  assert.equal(same.status, 400)
  const past = await call('POST', '/coupons.json', { body: half({ end_date: '2026-01-30' }) })
  assert.deepEqual(detailsOf(past), { end_date: 'must be after start_date' })
  const { id } = await create({ start_date: '2026-03-01', end_date: '2026-03-31' })
  const late = await call('PUT', `/coupons/${id}.json`, { body: { start_date: '2026-04-01' } })
  assert.equal(late.status, 400)
  assert.deepEqual(detailsOf(late), { start_date: 'must be before end_date' })
})

test('a code is visible text: controls, invisible and direction characters are refused', async () => {
  for (const code of [
    'A\u200bB',
    'A\u00adB',
    'A\u202eB',
    'A\nB',
    'A\u0007B',
    '\u3164',
    '',
    'x'.repeat(101),
  ]) {
    const reply = await call('POST', '/coupons.json', { body: half({ code }) })
    assert.deepEqual(Object.keys(detailsOf(reply)), ['code'], JSON.stringify(code))
  }
  for (const code of ['50%_OFF!', 'ÉTÉ 2026', 'Скидка', '割引', '🎉🎉'])
    assert.equal((await create({ code }))['code'], code)
})

test('several coupons may have one code', async () => {
  const [one, two] = [await create({ code: 'TWICE' }), await create({ code: 'twice', discount: 10 })]
  assert.notEqual(one.id, two.id)
})

test('an update changes what is given, and the type with the number it has', async () => {
  const { id, ...before } = await create({ discount_type: 'dollar', discount: 150 })
  app.ctx.clock.advance(60_000)
  const tooMuch = await call('PUT', `/coupons/${id}.json`, { body: { discount_type: 'percentage' } })
  assert.deepEqual(detailsOf(tooMuch), { discount: 'must be at most 100 as a percentage' })
  const { json } = await call('PUT', `/coupons/${id}.json`, {
    body: { is_active: false, redemptions_limit: 7, user_type: 'new' },
  })
  const changed = { is_active: false, redemptions_limit: 7, user_type: 'new', updated: '2026-01-31 10:01:00' }
  assert.deepEqual(json, { id, ...before, ...changed })
  app.ctx.clock.advance(-60_000)
})

test('an update that changes nothing writes and records nothing', async () => {
  const coupon = await create()
  app.ctx.clock.advance(60_000)
  const { json } = await call('PUT', `/coupons/${coupon.id}.json`, { body: half() })
  app.ctx.clock.advance(-60_000)
  assert.deepEqual(json, coupon)
  assert.equal((await eventsOf(coupon.id)).length, 1)
})

test('output-only fields are never stored', async () => {
  const smuggled = {
    id: 5,
    redemptions: 99,
    source: 3,
    entity_id: 99,
    entity_type: 'store',
    created: 'x',
    deleted_at: 'x',
  }
  const coupon = await create(smuggled)
  const { json } = await call('PUT', `/coupons/${coupon.id}.json`, { body: smuggled })
  assert.deepEqual([json.redemptions, json.source, json.entity_type], [0, 0, 'plugin'])
  assert.deepEqual(json, coupon)
})

test('creating, changing and deleting are events with what changed', async () => {
  const { id } = await create({ code: 'EVENTS' })
  await call('PUT', `/coupons/${id}.json`, { body: { discount: 60 } })
  await call('DELETE', `/coupons/${id}.json`)
  assert.deepEqual(
    (await eventsOf(id)).map(({ type, data }) => [type, data]),
    [
      ['coupon.deleted', { coupon_id: id }],
      ['coupon.updated', { coupon_id: id, from: { discount: 50 }, to: { discount: 60 } }],
      ['coupon.created', { coupon_id: id }],
    ],
  )
})

test('a deleted coupon is found no more, and its row stays for what names it', async () => {
  const { id } = await create({ code: 'GONE' })
  const deleted = await call('DELETE', `/coupons/${id}.json`)
  assert.equal(deleted.status, 204)
  assert.equal(deleted.text, '')
  assert.equal((await call('GET', `/coupons/${id}.json`)).status, 404)
  assert.equal((await call('PUT', `/coupons/${id}.json`, { body: half() })).status, 404)
  assert.equal((await call('DELETE', `/coupons/${id}.json`)).status, 404)
  for (const filter of ['code', 'prefix', 'search']) {
    assert.deepEqual((await call('GET', `/coupons.json?${filter}=gone`)).json.coupons, [])
  }
  const row = (await rowsOf()).find((one) => one.id === Number(id))
  assert.equal(row?.code, 'GONE')
})

test("another product's coupon is not found", async () => {
  const { id } = await create()
  assert.equal((await otherCall('GET', `/coupons/${id}.json`)).status, 404)
  assert.equal((await otherCall('PUT', `/coupons/${id}.json`, { body: half() })).status, 404)
  assert.equal((await otherCall('DELETE', `/coupons/${id}.json`)).status, 404)
  assert.equal((await call('GET', `/coupons/${id}.json`)).status, 200)
})

test('fifty updates of one coupon at once lose none', async () => {
  const { id } = await create()
  const names = ['has_renewals_discount', 'has_addons_discount', 'is_one_per_user']
  await Promise.all(names.map((name) => call('PUT', `/coupons/${id}.json`, { body: { [name]: true } })))
  const { json } = await call('GET', `/coupons/${id}.json`)
  assert.deepEqual(
    names.map((name) => json[name]),
    [true, true, true],
  )
})
