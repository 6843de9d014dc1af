import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { sell } from '../../../test/sales.ts'
import { createProduct } from '../../catalogue/products/service.ts'

let app: TestApp
let developer: CallAs
let owner: { developerId: number; storeId: number; productId: number }
before(async () => {
  app = await startTestApp('pricing-table')
  developer = await asDeveloper(app)
  const { developer: seller, store, product } = app.seller
  owner = { developerId: seller.id, storeId: store.id, productId: product.id }
})
after(() => app.close())

const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const table = (query = '', headers: Record<string, string> = {}) =>
  app.call('GET', `/products/${app.seller.product.id}/pricing.json${query}`, { headers })

const changeProduct = (change: object, id = owner.productId) =>
  app.write(({ db }) => db.updateTable('products').set(change).where('id', '=', id).execute())

let count = 0
async function createPlanOf(more: object = {}): Promise<{ id: string }> {
  const { status, json, text } = await write('POST', '/plans.json', { name: `priced-${++count}`, ...more })
  assert.equal(status, 200, text)
  return json
}
async function addPrice(planId: string, body: object): Promise<{ id: string }> {
  const { status, json, text } = await write('POST', `/plans/${planId}/pricing.json`, body)
  assert.equal(status, 200, text)
  return json.pricing
}

const addReview = (more: object) =>
  app.write(({ db }) =>
    db
      .insertInto('reviews')
      .values({
        product_id: owner.productId,
        user_id: null,
        license_id: null,
        external_id: '',
        rate: 100,
        title: 'Great',
        text: 'It works.',
        name: 'Ada',
        job_title: '',
        company: '',
        company_url: '',
        picture: '',
        profile_url: '',
        is_verified: true,
        is_featured: true,
        is_active: true,
        created: '2026-01-31 10:00:00' as never,
        updated: null,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

interface PlanOfTable {
  readonly id: string
  readonly name: string
  readonly pricing?: readonly { readonly id: string; readonly currency: string }[]
  readonly features: readonly { readonly id: string; readonly value: string }[]
}

test('the table has the product, its plans with prices and features, and nothing where there is none', async () => {
  const { status, json } = await table()
  assert.equal(status, 200)
  assert.deepEqual(json, {
    plugin: {
      icon: null,
      slug: 'first-product',
      title: 'First product',
      type: 'plugin',
      money_back_period: 30,
      refund_policy: 'moderate',
      public_key: app.seller.product.publicKey,
      parent_plugin_id: null,
      selling_unit_label: { singular: 'Unit', plural: 'Units' },
    },
    plans: [],
    reviews: [],
    active_installs: 0,
    downloads: 0,
    all_plans_single_site_pricing: {},
    checkout_url: 'http://keywright.test/checkout',
    fs_wp_endpoint_url: 'http://keywright.test',
    trial_mode: false,
    trial_utilized: false,
  })
})

test('plans nest prices and features in the order of the seller; a free plan has no key `pricing`', async () => {
  const free = await createPlanOf({ name: 'free' })
  const paid = await createPlanOf({ name: 'paid' })
  const unlimited = await addPrice(paid.id, { annual_price: 400, licenses: null })
  const euro = await addPrice(paid.id, { annual_price: 45, lifetime_price: 120, currency: 'eur' })
  const one = await addPrice(paid.id, { monthly_price: 4.99, annual_price: 50 })
  const exports = (await write('POST', '/features.json', { title: 'Exports' })).json
  const storage = (await write('POST', '/features.json', { title: 'Storage' })).json
  await write('PUT', `/plans/${paid.id}/features/${storage.id}.json`, { value: '10 GB' })
  await write('PUT', `/plans/${paid.id}/features/${exports.id}.json`)
  await write('PUT', `/plans/${free.id}/features/${storage.id}.json`, { value: '1 GB' })
  await changeProduct({ features: `${storage.id},${exports.id}` })
  const { json } = await table()
  const value = (feature: object, plan: { id: string }, text: string) => ({
    ...feature,
    plan_id: plan.id,
    value: text,
  })
  assert.deepEqual(json.plans, [
    { ...free, features: [value(storage, free, '1 GB')] },
    {
      ...paid,
      pricing: [euro, one, unlimited],
      features: [value(storage, paid, '10 GB'), value(exports, paid, '')],
    },
  ])
  const nothing = { usd: 0, eur: 0, gbp: 0 }
  assert.deepEqual(json.all_plans_single_site_pricing, {
    [free.id]: { monthly_price: nothing, annual_price: nothing, lifetime_price: nothing },
    [paid.id]: {
      monthly_price: { ...nothing, usd: 4.99 },
      annual_price: { ...nothing, usd: 50, eur: 45 },
      lifetime_price: { ...nothing, eur: 120 },
    },
  })
  await changeProduct({ plans: `${paid.id},${free.id}`, default_plan_id: Number(paid.id) })
  const names = (await table()).json.plans.map(({ name }: PlanOfTable) => name)
  assert.deepEqual(names, ['paid', 'free'])
})

test('`currency` keeps prices of one currency, and a plan without any stays a paid one', async () => {
  const plan = await createPlanOf()
  await addPrice(plan.id, { annual_price: 7, currency: 'gbp' })
  const { plans } = (await table('?currency=eur')).json
  const prices = plans.flatMap(({ pricing = [] }: PlanOfTable) => pricing)
  assert.ok(prices.length > 0 && prices.every(({ currency }: { currency: string }) => currency === 'eur'))
  const found = plans.find(({ id }: PlanOfTable) => id === plan.id)
  assert.deepEqual(found.pricing, [])
  assert.equal((await table('?currency=chf')).status, 400)
})

test('`type=visible` leaves out hidden plans, hidden prices, and plans with hidden prices only', async () => {
  const hidden = await createPlanOf()
  await write('PUT', `/plans/${hidden.id}.json`, { is_hidden: true })
  const secret = await createPlanOf()
  const special = await addPrice(secret.id, { annual_price: 1 })
  const shown = await createPlanOf()
  const deal = await addPrice(shown.id, { annual_price: 2, licenses: 5 })
  const list = await addPrice(shown.id, { annual_price: 3 })
  for (const [plan, price] of [
    [secret, special],
    [shown, deal],
  ] as const) {
    await write('PUT', `/plans/${plan.id}/pricing/${price.id}.json`, { is_hidden: true })
  }
  const all: PlanOfTable[] = (await table('?type=all')).json.plans
  const visible: PlanOfTable[] = (await table('?type=visible')).json.plans
  const isOf = (plan: { id: string }) => (one: PlanOfTable) => one.id === plan.id
  assert.deepEqual(
    [hidden, secret, shown].map((plan) => visible.some(isOf(plan))),
    [false, false, true],
  )
  assert.deepEqual(
    [hidden, secret, shown].map((plan) => all.some(isOf(plan))),
    [true, true, true],
  )
  assert.deepEqual(
    visible.find(isOf(shown))?.pricing?.map(({ id }) => id),
    [list.id],
  )
  assert.deepEqual(
    all.find(isOf(shown))?.pricing?.map(({ id }) => id),
    [list.id, deal.id],
  )
  const single = (await table()).json.all_plans_single_site_pricing[shown.id]
  assert.equal(single.annual_price.usd, 3)
})

test('of a product that is not released plans are shown with `show_pending` only', async () => {
  await changeProduct({ is_released: false })
  assert.deepEqual((await table()).json.plans, [])
  assert.ok((await table('?show_pending=1')).json.plans.length > 0)
  await changeProduct({ is_released: true })
})

test('`is_enriched` adds what an in-product page needs', async () => {
  await changeProduct({ annual_renewals_discount: 2050, accepted_payments: 1, premium_releases_count: 2 })
  const { json } = await table('?is_enriched=1')
  const { plugin } = json
  assert.deepEqual(
    [plugin.id, plugin.annual_renewals_discount, plugin.renewals_discount_type, plugin.has_premium_version],
    [String(owner.productId), 20.5, 'percentage', true],
  )
  assert.equal(plugin.is_wp_org_compliant, true)
  assert.deepEqual(
    [json.is_paypal_supported, json.skip_directly_to_paypal],
    [false, false],
    'no wallet is configured',
  )
  const { json: plain } = await table()
  assert.equal('id' in plain.plugin || 'is_paypal_supported' in plain, false)
})

test('trial mode is on where a plan that is sold has a trial, unless the page says that it wants none', async () => {
  assert.equal((await table('?trial=1')).json.trial_mode, false)
  const plan = await createPlanOf({ trial_period: 14 })
  assert.equal((await table()).json.trial_mode, false)
  await addPrice(plan.id, { annual_price: 9 })
  const modes = []
  for (const query of ['', '?trial=1', '?trial=true', '?trial=0', '?trial=', '?trial=false'])
    modes.push((await table(query)).json.trial_mode)
  assert.deepEqual(modes, [true, true, true, false, false, false])
})

test('reviews are the shown, verified and featured ones, the newest first', async () => {
  const first = await addReview({})
  const second = await addReview({ title: 'Better' })
  for (const off of ['is_active', 'is_featured', 'is_verified']) await addReview({ [off]: 0 })
  await addReview({ product_id: app.seller.other.id })
  const { reviews } = (await table()).json
  const ids = reviews.map(({ id }: { id: string }) => Number(id))
  assert.deepEqual(ids, [second.id, first.id])
  assert.deepEqual([reviews[0].title, reviews[0].plugin_id], ['Better', String(owner.productId)])
})

test('a member shows the table of its bundle when that is asked for', async () => {
  const bundleId = await app.write(async (tx) => {
    const more = { kind: 'bundle', type: 'plugin', type_alias: 'bundle' } as const
    const id = await createProduct(tx, { ...owner, title: 'Everything', redirectHosts: [], more })
    await createOffer(tx, { ...owner, productId: id }, 'all-in-one')
    return id
  })
  const query = `?bundle_product_id=${bundleId}`
  assert.equal((await table(query)).status, 404)
  await app.write(({ db }) =>
    db.insertInto('bundle_members').values({ bundle_id: bundleId, product_id: owner.productId }).execute(),
  )
  const { json } = await table(query)
  assert.equal(json.plugin.title, 'Everything')
  assert.deepEqual(
    json.plans.map(({ name }: PlanOfTable) => name),
    ['all-in-one'],
  )
  const key = await app.ctx.db
    .selectFrom('products')
    .select('public_key')
    .where('id', '=', bundleId)
    .executeTakeFirstOrThrow()
  assert.equal((await table(`${query}&bundle_product_public_key=${key.public_key}`)).status, 200)
  assert.equal((await table(`${query}&bundle_product_public_key=pk_other`)).status, 404)
  assert.equal((await table('?bundle_product_public_key=pk_other')).status, 400)
  const inOther = `/products/${app.seller.other.id}/pricing.json${query}`
  assert.equal((await app.call('GET', inOther, { token: app.seller.other.token })).status, 404)
})

test('the table is answered to a public key, and says nothing secret', async () => {
  const { status, text } = await asPublic(app)('GET', '/pricing.json?is_enriched=1')
  assert.equal(status, 200)
  assert.doesNotMatch(text, /sk_|secret|earnings|total_/)
})

test('a review says nothing of which user and license it is', async () => {
  const { license, owner: buyer } = await sell(app)
  const { id } = await addReview({ user_id: buyer.id, license_id: Number(license.id) })
  const [newest] = (await table()).json.reviews
  assert.deepEqual([newest.id, newest.user_id, newest.license_id], [String(id), null, null])
})
