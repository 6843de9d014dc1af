import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('pricing')
  developer = await asDeveloper(app)
})
after(() => app.close())

const read = (path: string) => app.call('GET', `/products/${app.seller.product.id}${path}`)
const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const fieldsOf = ({ json }: Reply) => json.error.details.map((one: { field: string }) => one.field).toSorted()

let count = 0
async function createPlan(productId = app.seller.product.id): Promise<string> {
  const body = { name: `plan-${++count}` }
  const { status, json, text } = await developer('POST', `/products/${productId}/plans.json`, body)
  assert.equal(status, 200, text)
  return json.id
}

interface Price {
  readonly id: string
  readonly currency: string
  readonly licenses: number | null
}

async function addPrice(planId: string, body: object): Promise<Price> {
  const { status, json, text } = await write('POST', `/plans/${planId}/pricing.json`, body)
  assert.equal(status, 200, text)
  return json.pricing
}

const clone = (planId: string, body: object) =>
  app.call('POST', `/products/${app.seller.product.id}/plans/${planId}/pricing/clone.json`, { body })

const eventTypes = async (number: number) => {
  const { json } = await read(`/events.json?count=${number}`)
  return json.events.map(({ type, data }: { type: string; data: object }) => [type, data])
}

test('a price is one license in US dollars unless the call says otherwise, and is read back under `pricing`', async () => {
  const plan = await createPlan()
  const price = await addPrice(plan, { monthly_price: 4.99, annual_price: '49.90' })
  const { id: _, ...rest } = price
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    updated: null,
    currency: 'usd',
    plan_id: plan,
    licenses: 1,
    monthly_price: 4.99,
    annual_price: 49.9,
    lifetime_price: null,
    is_whitelabeled: false,
    is_hidden: false,
  })
  assert.deepEqual((await read(`/plans/${plan}/pricing/${price.id}.json`)).json, { pricing: price })
  const some = await read(`/plans/${plan}/pricing/${price.id}.json?fields=id,licenses`)
  assert.deepEqual(some.json, { pricing: { id: price.id, licenses: 1 } })
  assert.deepEqual((await eventTypes(1))[0], ['pricing.created', { pricing_id: price.id, plan_id: plan }])
})

test('the currency is taken from the body, otherwise from the query', async () => {
  const plan = await createPlan()
  const inQuery = await write('POST', `/plans/${plan}/pricing.json?currency=gbp`, { lifetime_price: 99 })
  assert.equal(inQuery.json.pricing.currency, 'gbp')
  const both = await write('POST', `/plans/${plan}/pricing.json?currency=gbp`, {
    lifetime_price: 99,
    currency: 'eur',
  })
  assert.equal(both.json.pricing.currency, 'eur')
})

test('money is kept in whole minor units', async () => {
  const plan = await createPlan()
  const { id } = await addPrice(plan, {
    monthly_price: 19.99,
    annual_price: 0.07,
    lifetime_price: 10_000_000,
  })
  const row = await app.ctx.db
    .selectFrom('pricing')
    .select(['monthly_price', 'annual_price', 'lifetime_price'])
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  assert.deepEqual({ ...row }, { monthly_price: 1999, annual_price: 7, lifetime_price: 1_000_000_000 })
})

test('0 licenses are unlimited ones, which stand last in the list', async () => {
  const plan = await createPlan()
  const unlimited = await addPrice(plan, { annual_price: 400, licenses: 0 })
  assert.equal(unlimited.licenses, null)
  const five = await addPrice(plan, { annual_price: 100, licenses: 5 })
  const one = await addPrice(plan, { annual_price: 50 })
  const euro = await addPrice(plan, { annual_price: 45, currency: 'eur' })
  const { pricing } = (await read(`/plans/${plan}/pricing.json`)).json
  assert.deepEqual(pricing, [one, euro, five, unlimited])
  const page = await read(`/plans/${plan}/pricing.json?count=2&offset=1&fields=id`)
  assert.deepEqual(page.json, { pricing: [{ id: euro.id }, { id: five.id }] })
  const inEuro = await read(`/plans/${plan}/pricing.json?currency=eur`)
  assert.deepEqual(inEuro.json, { pricing: [euro] })
})

test('the currencies are those in which the product has prices', async () => {
  const own = await developer('GET', `/products/${app.seller.other.id}/plans/currencies.json`)
  assert.deepEqual(own.json, { currencies: [] })
  const plan = await createPlan(app.seller.other.id)
  for (const currency of ['gbp', 'usd', 'gbp']) {
    const path = `/products/${app.seller.other.id}/plans/${plan}/pricing.json`
    await developer('POST', path, { annual_price: 1, currency })
  }
  const { json } = await app.call('GET', `/products/${app.seller.other.id}/plans/currencies.json`, {
    token: app.seller.other.token,
  })
  assert.deepEqual(json, { currencies: ['usd', 'gbp'] })
})

test('an update writes what was given, null takes a cycle off, and the event tells both states', async () => {
  const plan = await createPlan()
  const price = await addPrice(plan, { monthly_price: 5, annual_price: 50 })
  app.ctx.clock.advance(60_000)
  const change = { monthly_price: null, annual_price: 55.5, licenses: 3, is_hidden: true, is_whitelabeled: 1 }
  const { status, json } = await write('PUT', `/plans/${plan}/pricing/${price.id}.json`, change)
  assert.equal(status, 200)
  const after = { ...change, is_whitelabeled: true }
  assert.deepEqual(json, { pricing: { ...price, ...after, updated: '2026-01-31 10:01:00' } })
  assert.deepEqual((await read(`/plans/${plan}/pricing/${price.id}.json`)).json, json)
  const from = { monthly_price: 5, annual_price: 50, licenses: 1, is_hidden: false, is_whitelabeled: false }
  const data = { pricing_id: price.id, plan_id: plan, from, to: after }
  assert.deepEqual((await eventTypes(1))[0], ['pricing.updated', data])
})

test('a price keeps one cycle at least: the last one is not taken off, whatever stands beside it', async () => {
  const plan = await createPlan()
  const { id } = await addPrice(plan, { monthly_price: 5, annual_price: 50 })
  const path = `/plans/${plan}/pricing/${id}.json`
  const none = { monthly_price: null, annual_price: null }
  const refused = await write('PUT', path, { ...none, licenses: 5 })
  assert.deepEqual([refused.status, fieldsOf(refused)], [400, ['annual_price', 'monthly_price']])
  assert.equal((await write('PUT', path, { monthly_price: null })).status, 200)
  assert.deepEqual(fieldsOf(await write('PUT', path, { annual_price: null })), ['annual_price'])
  const moved = await write('PUT', path, { ...none, lifetime_price: 90 })
  assert.deepEqual([moved.status, moved.json.pricing.lifetime_price], [200, 90])
})

test('a whole Pricing may be sent back, of which only what a seller may write counts', async () => {
  const plan = await createPlan()
  const price = await addPrice(plan, { annual_price: 50 })
  const events = await eventTypes(1)
  const whole = { ...price, id: '999', created: '2000-01-01 00:00:00', plugin_id: '999' }
  const { json } = await write('PUT', `/plans/${plan}/pricing/${price.id}.json`, whole)
  assert.deepEqual(json, { pricing: price })
  assert.deepEqual(await eventTypes(1), events)
})

test('a price moves to another plan of its product only', async () => {
  const [plan, target] = [await createPlan(), await createPlan()]
  const price = await addPrice(plan, { annual_price: 50 })
  const foreign = await createPlan(app.seller.other.id)
  const refused = await write('PUT', `/plans/${plan}/pricing/${price.id}.json`, { plan_id: foreign })
  assert.equal(refused.status, 404)
  const moved = await write('PUT', `/plans/${plan}/pricing/${price.id}.json`, { plan_id: target })
  assert.equal(moved.json.pricing.plan_id, target)
  assert.equal((await read(`/plans/${plan}/pricing/${price.id}.json`)).status, 404)
  assert.equal((await read(`/plans/${target}/pricing/${price.id}.json`)).status, 200)
})

test('a deleted price is gone, and cannot be deleted again', async () => {
  const plan = await createPlan()
  const price = await addPrice(plan, { annual_price: 50 })
  assert.equal((await write('DELETE', `/plans/${plan}/pricing/${price.id}.json`)).status, 204)
  assert.deepEqual((await eventTypes(1))[0], ['pricing.deleted', { pricing_id: price.id, plan_id: plan }])
  assert.equal((await read(`/plans/${plan}/pricing/${price.id}.json`)).status, 404)
  assert.equal((await write('DELETE', `/plans/${plan}/pricing/${price.id}.json`)).status, 404)
})

test('cloning copies amount for amount where the other currency has no price yet', async () => {
  const plan = await createPlan()
  const one = await addPrice(plan, { monthly_price: 5, annual_price: 50 })
  const five = await addPrice(plan, { annual_price: 100, licenses: 5 })
  const unlimited = await addPrice(plan, { lifetime_price: 900, licenses: null })
  const euro = await addPrice(plan, { annual_price: 90, licenses: 5, currency: 'eur' })
  const { status, json } = await clone(plan, { to_currency: 'eur' })
  assert.equal(status, 201)
  const bare = (price: Price) => ({ ...price, id: '', currency: '' })
  const copies: Price[] = json.pricing
  assert.deepEqual(copies.map(bare), [one, unlimited].map(bare))
  assert.ok(copies.every(({ currency }) => currency === 'eur'))
  const { pricing } = (await read(`/plans/${plan}/pricing.json?currency=eur`)).json
  assert.deepEqual(pricing, [copies[0], euro, copies[1]])
  assert.deepEqual(
    (await eventTypes(2)).toReversed(),
    copies.map(({ id }) => ['pricing.created', { pricing_id: id, plan_id: plan }]),
  )
  assert.deepEqual((await clone(plan, { to_currency: 'eur' })).json, { pricing: [] })
  const dollars = (await read(`/plans/${plan}/pricing.json?currency=usd`)).json.pricing
  assert.deepEqual(dollars, [one, five, unlimited])
  const back = await clone(plan, { from_currency: 'eur', to_currency: 'gbp' })
  assert.equal(back.json.pricing.length, 3)
})

test('cloning wants a currency that is another one', async () => {
  const plan = await createPlan()
  assert.deepEqual(fieldsOf(await clone(plan, {})), ['to_currency'])
  assert.equal((await clone(plan, {})).status, 402)
  const same = await clone(plan, { to_currency: 'usd' })
  assert.deepEqual([same.status, fieldsOf(same)], [400, ['to_currency']])
  const unknown = await clone(plan, { to_currency: 'chf', from_currency: 'yen' })
  assert.deepEqual([unknown.status, fieldsOf(unknown)], [400, ['from_currency', 'to_currency']])
  assert.equal((await clone('987654321', { to_currency: 'eur' })).status, 404)
})

test('bad input names every field and stores nothing', async () => {
  const plan = await createPlan()
  const bad = await write('POST', `/plans/${plan}/pricing.json`, {
    monthly_price: 1.999,
    annual_price: -1,
    lifetime_price: 10_000_000.01,
    licenses: 1.5,
    currency: 'chf',
  })
  assert.equal(bad.status, 400)
  const fields = ['annual_price', 'currency', 'licenses', 'lifetime_price', 'monthly_price']
  assert.deepEqual(fieldsOf(bad), fields)
  const decimals = bad.json.error.details.find((one: { field: string }) => one.field === 'monthly_price')
  assert.equal(decimals.message, 'must have at most two decimals')
  const none = await write('POST', `/plans/${plan}/pricing.json`, { annual_price: null })
  assert.equal(none.status, 402)
  assert.deepEqual(fieldsOf(none), ['annual_price', 'lifetime_price', 'monthly_price'])
  assert.deepEqual((await read(`/plans/${plan}/pricing.json`)).json, { pricing: [] })
})

test("another product's plan and price, and another plan's price, are not found", async () => {
  const [plan, second] = [await createPlan(), await createPlan()]
  const price = await addPrice(plan, { annual_price: 50 })
  const foreign = await createPlan(app.seller.other.id)
  const elsewhere = [
    `/plans/${second}/pricing/${price.id}.json`,
    `/plans/${foreign}/pricing/${price.id}.json`,
    `/plans/${plan}/pricing/987654321.json`,
  ]
  for (const path of elsewhere) {
    assert.equal((await read(path)).status, 404, path)
    assert.equal((await write('PUT', path, { annual_price: 1 })).status, 404, path)
    assert.equal((await write('DELETE', path)).status, 404, path)
  }
  assert.equal((await read(`/plans/${foreign}/pricing.json`)).status, 404)
  assert.equal((await write('POST', `/plans/${foreign}/pricing.json`, { annual_price: 1 })).status, 404)
  assert.deepEqual((await read(`/plans/${plan}/pricing/${price.id}.json`)).json, { pricing: price })
})

test('prices are written in developer scope, cloned with a token, and read with the public key', async () => {
  const plan = await createPlan()
  const price = await addPrice(plan, { annual_price: 50 })
  const path = `/products/${app.seller.product.id}/plans/${plan}/pricing`
  const body = { annual_price: 1 }
  assert.equal((await app.call('POST', `${path}.json`, { body })).status, 401)
  assert.equal((await app.call('PUT', `${path}/${price.id}.json`, { body })).status, 401)
  assert.equal((await app.call('DELETE', `${path}/${price.id}.json`)).status, 401)
  const anyone = asPublic(app)
  assert.deepEqual((await anyone('GET', `/plans/${plan}/pricing.json`)).json, { pricing: [price] })
  assert.equal((await anyone('GET', `/plans/${plan}/pricing/${price.id}.json`)).status, 200)
  assert.equal((await anyone('GET', '/plans/currencies.json')).status, 200)
  const cloned = await anyone('POST', `/plans/${plan}/pricing/clone.json`, { to_currency: 'eur' })
  assert.equal(cloned.status, 401)
})

test('a plan has one price for a number of licenses in a currency, also when many are added or moved at once', async () => {
  const planId = await createPlan()
  const create = (body: object) =>
    write('POST', `/plans/${planId}/pricing.json`, { annual_price: 10, ...body })
  const replies = await Promise.all(Array.from({ length: 20 }, () => create({ licenses: 5 })))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  const refused = replies.filter(({ status }) => status === 400)
  assert.deepEqual([refused.length, refused[0]?.json.error.code], [19, 'pricing_licenses_taken'])
  assert.equal((await create({ licenses: 5, is_hidden: true })).status, 400)
  assert.equal((await create({ licenses: 0 })).status, 200)
  assert.equal((await create({ licenses: 0 })).status, 400)
  const others = await Promise.all(
    [6, 7, 8].map((licenses) => addPrice(planId, { annual_price: 9, licenses })),
  )
  const moved = await Promise.all(
    others.map(({ id }) => write('PUT', `/plans/${planId}/pricing/${id}.json`, { licenses: 9 })),
  )
  assert.deepEqual(moved.map(({ status }) => status).toSorted(), [200, 400, 400])
  const [{ id } = assert.fail()] = others.filter((_, n) => moved[n]?.status === 400)
  const path = `/plans/${planId}/pricing/${id}.json`
  assert.equal((await write('PUT', path, { currency: 'eur' })).status, 200)
  assert.equal((await write('PUT', path, { annual_price: 11 })).status, 200)
  assert.equal((await write('PUT', path, { licenses: 9 })).status, 200, 'the other one of 9 is in dollars')
  assert.equal((await write('PUT', path, { currency: 'usd', licenses: 0 })).status, 400)
  const other = await createPlan()
  await addPrice(other, { annual_price: 10, licenses: 5 })
})
