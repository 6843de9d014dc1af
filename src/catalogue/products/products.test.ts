import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, asStore, type CallAs } from '../../../test/callers.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('products')
  developer = await asDeveloper(app)
})
after(() => app.close())

const product = () => app.call('GET', `/products/${app.seller.product.id}.json`)
const update = (body: object) => app.call('PUT', `/products/${app.seller.product.id}.json`, { body })
const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()

const version = async (id = app.seller.product.id) =>
  (
    await app.ctx.db
      .selectFrom('products')
      .select('catalogue_version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).catalogue_version

test('a product has every field of the contract, money as decimals, ids as text', async () => {
  const { status, json } = await product()
  assert.equal(status, 200)
  const { secret_key: secretKey, public_key: publicKey, ...rest } = json
  assert.equal(secretKey, app.seller.product.secretKey)
  assert.equal(publicKey, app.seller.product.publicKey)
  assert.deepEqual(rest, {
    id: String(app.seller.product.id),
    created: '2026-01-31 10:00:00',
    updated: null,
    parent_plugin_id: null,
    developer_id: String(app.seller.developer.id),
    store_id: String(app.seller.store.id),
    selling_unit_label: { singular: 'Unit', plural: 'Units' },
    slug: 'first-product',
    title: 'First product',
    environment: 0,
    icon: null,
    default_plan_id: null,
    plans: '',
    features: '',
    money_back_period: 30,
    refund_policy: 'moderate',
    is_consumptive_usage: false,
    annual_renewals_discount: null,
    renewals_discount_type: 'percentage',
    lifetime_license_proration_days: null,
    is_released: true,
    is_sdk_required: true,
    is_pricing_visible: true,
    is_wp_org_compliant: true,
    installs_count: 0,
    active_installs_count: 0,
    free_releases_count: 0,
    premium_releases_count: 0,
    total_purchases: 0,
    total_subscriptions: 0,
    total_renewals: 0,
    total_failed_purchases: 0,
    earnings: 0,
    type: 'plugin',
    type_alias: '',
    is_static: false,
  })
})

test('the same product answers in developer and store scope', async () => {
  const path = `/products/${app.seller.product.id}.json`
  const own = (await product()).json
  assert.deepEqual((await developer('GET', path)).json, own)
  assert.deepEqual((await asStore(app)('GET', path)).json, own)
})

test('the public key alone does not open a product', async () => {
  assert.equal((await asPublic(app)('GET', '.json')).status, 401)
})

test('an update writes what was given, leaves the rest, and raises the version of the catalogue', async () => {
  const before = (await product()).json
  const old = await version()
  app.ctx.clock.advance(HOUR)
  const change = {
    title: 'Renamed',
    slug: 'Renamed_2',
    type: 'theme',
    money_back_period: 14,
    refund_policy: 'strict',
    annual_renewals_discount: 12.5,
    renewals_discount_type: 'dollar',
    lifetime_license_proration_days: 365,
    is_pricing_visible: false,
  }
  const { status, json } = await update({
    ...change,
    accepted_payments: 2,
    expose_license_key: false,
    enable_after_purchase_email_login_link: 'false',
  })
  assert.equal(status, 200)
  assert.deepEqual(json, { ...before, ...change, slug: 'renamed_2', updated: '2026-01-31 11:00:00' })
  assert.deepEqual((await product()).json, json)
  assert.equal(await version(), old + 1)
  const row = await app.ctx.db
    .selectFrom('products')
    .select(['accepted_payments', 'expose_license_key', 'enable_after_purchase_email_login_link'])
    .where('id', '=', app.seller.product.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(Object.values(row), [2, false, false])
  const nothing = { annual_renewals_discount: null, lifetime_license_proration_days: null }
  const cleared = (await update(nothing)).json
  assert.deepEqual([cleared.annual_renewals_discount, cleared.lifetime_license_proration_days], [null, null])
})

test('an update that changes nothing writes nothing', async () => {
  const before = (await product()).json
  const old = await version()
  app.ctx.clock.advance(HOUR)
  const { title, slug } = before
  assert.deepEqual((await update({ title, slug })).json, before)
  assert.deepEqual((await update({})).json, before)
  assert.equal(await version(), old)
})

test('a product is accepted as it was answered, also without a default plan, which null leaves as it is', async () => {
  const before = (await product()).json
  assert.equal(before.default_plan_id, null)
  const again = await update(before)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(again.json, before)
  const plans = `/products/${app.seller.product.id}/plans`
  const { id } = (await developer('POST', `${plans}.json`, { name: 'first' })).json
  assert.equal((await update({ default_plan_id: null, title: 'Again' })).json.default_plan_id, id)
  await update({ title: before.title })
  assert.equal((await developer('DELETE', `${plans}/${id}.json`)).status, 204)
})

test('every malformed field of an update is named, and nothing is stored', async () => {
  const before = (await product()).json
  const reply = await update({
    slug: 'a b',
    title: ' ',
    type: 'bundle',
    money_back_period: -1,
    refund_policy: 'none',
    annual_renewals_discount: 1.005,
    renewals_discount_type: 'euro',
    lifetime_license_proration_days: -1,
    is_pricing_visible: 'maybe',
    default_plan_id: '01',
    accepted_payments: 3,
    expose_license_key: 'x',
    enable_after_purchase_email_login_link: 'x',
    plans: 7,
    features: null,
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(fieldsOf(reply), [
    'accepted_payments',
    'annual_renewals_discount',
    'default_plan_id',
    'enable_after_purchase_email_login_link',
    'expose_license_key',
    'features',
    'is_pricing_visible',
    'lifetime_license_proration_days',
    'money_back_period',
    'plans',
    'refund_policy',
    'renewals_discount_type',
    'slug',
    'title',
    'type',
  ])
  assert.deepEqual((await product()).json, before)
})

test('output-only fields are never stored (S05)', async () => {
  const before = (await product()).json
  const given = {
    id: '999',
    created: '2000-01-01 00:00:00',
    updated: '2000-01-01 00:00:00',
    secret_key: 'sk_'.padEnd(32, 'x'),
    public_key: 'pk_'.padEnd(32, 'x'),
    parent_plugin_id: String(app.seller.other.id),
    developer_id: '999',
    store_id: '999',
    environment: 1,
    icon: 'https://example.com/icon.png',
    is_consumptive_usage: true,
    is_released: false,
    is_sdk_required: false,
    is_wp_org_compliant: false,
    installs_count: 5,
    active_installs_count: 5,
    free_releases_count: 5,
    premium_releases_count: 5,
    total_purchases: 5,
    total_subscriptions: 5,
    total_renewals: 5,
    total_failed_purchases: 5,
    earnings: 5,
    type_alias: 'x',
    is_static: true,
    kind: 'bundle',
    catalogue_version: 99,
    can_create_users: false,
    is_active: false,
  }
  assert.deepEqual((await update(given)).json, before)
  const created = (
    await developer('POST', '/plugins.json', {
      ...given,
      title: 'Plain',
      parent_plugin_id: null,
      store_id: undefined,
    })
  ).json
  const expected = { ...before, title: 'Plain', slug: 'plain', type_alias: 'x' }
  for (const name of Object.keys(given)) {
    if (['id', 'created', 'updated', 'secret_key', 'public_key'].includes(name))
      assert.notEqual(created[name], given[name as keyof typeof given])
    else assert.deepEqual(created[name], expected[name], name)
  }
})

test('a slug is unique among the products of a developer, whatever its case', async () => {
  const refused = await update({ slug: 'SECOND-product' })
  assert.equal(refused.status, 400)
  assert.equal(refused.json.error.code, 'product_slug_taken')
  const created = await developer('POST', '/plugins.json', { title: 'Another', slug: 'second-Product' })
  assert.equal(created.json.error.code, 'product_slug_taken')
  assert.equal(
    (await developer('POST', '/plugins.json', { title: 'Second  product!' })).json.error.code,
    'product_slug_taken',
  )
})

test('two products that take one slug at once: one gets it, the other 400', async () => {
  for (const round of [1, 2, 3, 4, 5]) {
    const body = { slug: `wanted-${round}` }
    const replies = await Promise.all([
      update(body),
      app.call('PUT', `/products/${app.seller.other.id}.json`, { body, token: app.seller.other.token }),
      developer('POST', '/plugins.json', { title: 'New', ...body }),
    ])
    const taken = replies.filter(({ status }) => status === 200)
    assert.equal(taken.length, 1)
    for (const { status, json } of replies.filter((reply) => reply.status !== 200)) {
      assert.deepEqual([status, json.error.code], [400, 'product_slug_taken'])
    }
  }
})

test('changes of one product that meet are all kept', async () => {
  const { id } = app.seller.product
  const old = await version(id)
  const titles = Array.from({ length: 8 }, (_, index) => `Title ${index}`)
  await Promise.all(titles.map((title) => update({ title })))
  assert.equal(await version(id), old + titles.length)
})
