import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asInstall, asPublic, type CallAs } from '../../../test/callers.ts'
import { createAddon, createOffer, type Offer } from '../../../test/catalogue.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'

let app: TestApp
let developer: CallAs
let forms: number
let pending: number
let foreign: number
let offer: Offer
before(async () => {
  app = await startTestApp('addons')
  developer = await asDeveloper(app)
  const { developer: seller, store, product, other } = app.seller
  const owner = { developerId: seller.id, storeId: store.id, productId: product.id }
  await app.write(async (tx) => {
    forms = await createAddon(tx, owner, 'Forms')
    pending = await createAddon(tx, owner, 'Pending')
    foreign = await createAddon(tx, { ...owner, productId: other.id }, 'Foreign')
    await tx.db.updateTable('products').set({ is_released: false }).where('id', '=', pending).execute()
    await tx.db
      .updateTable('products')
      .set({ earnings: 12345, total_purchases: 7 })
      .where('id', '=', forms)
      .execute()
    offer = await createOffer(tx, { ...owner, productId: forms }, 'basic')
    for (const id of [pending, foreign]) await createOffer(tx, { ...owner, productId: id }, 'basic')
  })
})
after(() => app.close())

const read = (path: string) => app.call('GET', `/products/${app.seller.product.id}${path}`)
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => Number(id))

test('add-ons are listed under both keys, the oldest first, unreleased ones on request', async () => {
  const { json } = await read('/addons.json')
  assert.deepEqual(idsOf(json.addons), [forms])
  assert.deepEqual(json.plugins, json.addons)
  const [addon] = json.addons
  assert.deepEqual([addon.title, addon.parent_plugin_id], ['Forms', String(app.seller.product.id)])
  assert.equal('info' in addon, false)
  const { json: all } = await read('/addons.json?show_pending=1&enriched=')
  assert.deepEqual(
    [idsOf(all.addons), idsOf(all.plugins)],
    [
      [forms, pending],
      [forms, pending],
    ],
  )
  const { json: page } = await read('/addons.json?show_pending=true&count=1&offset=1&fields=id')
  const second = [{ id: String(pending) }]
  assert.deepEqual(page, { addons: second, plugins: second })
})

test('enriched add-ons bring what a market shows of them, or null', async () => {
  await app.write(({ db }) =>
    db
      .insertInto('product_info')
      .values({
        product_id: forms,
        url: '',
        description: '',
        short_description: 'Forms that work.',
        banner_url: '',
        card_banner_url: 'https://shop.example.com/card.png',
        selling_point_0: '',
        selling_point_1: '',
        selling_point_2: '',
        screenshots: '{"screenshot_0":"https://shop.example.com/0.png"}',
        created: '2026-01-31 10:00:00' as never,
        updated: null,
      })
      .execute(),
  )
  const { addons } = (await read('/addons.json?enriched=true&show_pending=true')).json
  const [first, second] = addons
  assert.equal(first.info.short_description, 'Forms that work.')
  assert.deepEqual(first.info.screenshots, { screenshot_0: 'https://shop.example.com/0.png' })
  assert.equal(second.info, null)
})

test('the secret key of an add-on goes to its owner alone, sums of money to no public key', async () => {
  const [byToken] = (await read('/addons.json')).json.addons
  assert.equal('secret_key' in byToken, false)
  assert.deepEqual([byToken.earnings, byToken.total_purchases], [123.45, 7])
  const account = await developer('GET', `/products/${app.seller.product.id}/addons.json`)
  assert.match(account.json.addons[0].secret_key, /^sk_/)
  const { status, json, text } = await asPublic(app)('GET', '/addons.json?enriched=true&count=50')
  assert.equal(status, 200)
  assert.deepEqual([json.plugins[0].earnings, json.plugins[0].total_purchases], [0, 0])
  assert.doesNotMatch(text, /sk_/)
})

test('plans of an add-on are read through its parent, filtered and paged', async () => {
  const owner = { developerId: app.seller.developer.id, productId: forms }
  const second = await app.write((tx) => createOffer(tx, owner, 'hidden'))
  await developer('PUT', `/products/${forms}/plans/${second.planId}.json`, { is_hidden: true })
  const path = `/addons/${forms}/plans.json`
  assert.deepEqual(idsOf((await read(path)).json.plans), [offer.planId, second.planId])
  assert.deepEqual(idsOf((await read(`${path}?type=visible`)).json.plans), [offer.planId])
  assert.deepEqual((await read(`${path}?count=1&offset=1&fields=name`)).json, { plans: [{ name: 'hidden' }] })
  assert.deepEqual((await read(`/addons/${pending}/plans.json`)).json, { plans: [] })
  assert.equal((await read(`/addons/${pending}/plans.json?show_pending=1`)).json.plans.length, 1)
})

test('who has only the public key is shown nothing of an add-on that is not released', async () => {
  const anyone = asPublic(app)
  const [listed, plans, table, tables] = [
    await anyone('GET', '/addons.json?show_pending=true'),
    await anyone('GET', `/addons/${pending}/plans.json?show_pending=true`),
    await anyone('GET', `/addons/${pending}/pricing.json?show_pending=true`),
    await anyone('GET', '/addons/pricing.json?show_pending=true'),
  ]
  assert.deepEqual(idsOf(listed.json.addons), [forms])
  assert.deepEqual([plans.json, table.json.plans], [{ plans: [] }, []])
  assert.deepEqual(idsOf(tables.json.addons), [forms])
  assert.equal((await read(`/addons/${pending}/pricing.json?show_pending=true`)).json.plans.length, 1)
})

test('features of an add-on have no value, its prices travel under the key `plans`', async () => {
  const path = `/addons/${forms}/plans/${offer.planId}`
  const { features } = (await read(`${path}/features.json`)).json
  const [feature] = features
  assert.deepEqual(idsOf(features), [offer.featureId])
  assert.equal('value' in feature || 'plan_id' in feature, false)
  const { plans, ...others } = (await read(`${path}/pricing.json`)).json
  assert.deepEqual(others, {})
  assert.deepEqual([Number(plans[0].id), plans[0].annual_price], [offer.pricingId, 49.99])
  assert.deepEqual((await read(`${path}/pricing.json?currency=eur`)).json, { plans: [] })
  assert.deepEqual((await read(`${path}/features.json?offset=1`)).json, { features: [] })
})

test("another product's add-on, a product that is none, and another add-on's plan are not found", async () => {
  const { product, other } = app.seller
  for (const id of [foreign, product.id, other.id, 987654321]) {
    assert.equal((await read(`/addons/${id}/plans.json`)).status, 404, String(id))
    assert.equal((await read(`/addons/${id}/plans/${offer.planId}/pricing.json`)).status, 404)
    assert.equal((await read(`/addons/${id}/plans/${offer.planId}/features.json`)).status, 404)
  }
  assert.equal((await read(`/addons/${pending}/plans/${offer.planId}/pricing.json`)).status, 404)
  assert.equal((await read(`/addons/${pending}/plans/${offer.planId}/features.json`)).status, 404)
})

test('what a parent shows of an add-on is read with the public key of the parent', async () => {
  const anyone = asPublic(app)
  const path = `/addons/${forms}/plans`
  for (const address of [
    `${path}.json`,
    `${path}/${offer.planId}/features.json`,
    `${path}/${offer.planId}/pricing.json`,
  ])
    assert.equal((await anyone('GET', address)).status, 200, address)
})

test('an install lists the add-ons of its product, without what they earn, and no others', async () => {
  const { product } = app.seller
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner, { version: '1.0' })
  const as = asInstall(app, keysOf(install))
  const { status, json } = await as('GET', '/addons.json?enriched=true&count=50')
  assert.equal(status, 200)
  assert.deepEqual(idsOf(json.plugins), [forms])
  assert.deepEqual(json.addons, json.plugins)
  assert.deepEqual([json.plugins[0].earnings, json.plugins[0].total_purchases], [0, 0])
  assert.ok(!('secret_key' in json.plugins[0]))
  const bySeller = await read(`/installs/${install.id}/addons.json?show_pending=true`)
  assert.deepEqual(idsOf(bySeller.json.addons), [forms, pending])
  assert.equal(bySeller.json.addons[0].earnings, 123.45)
  const elsewhere = `/products/${app.seller.other.id}/installs/${install.id}/addons.json`
  assert.equal((await app.call('GET', elsewhere, { token: app.seller.other.token })).status, 404)
  assert.equal((await read(`/installs/${product.id + 4000}/addons.json`)).status, 404)
})
