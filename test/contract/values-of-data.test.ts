// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { renewDue } from '../../src/sales/renewals/renew.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { asDeveloper } from '../callers.ts'
import { createSeller, type Seller } from '../factories.ts'
import { expectOk, keysOf } from '../installs.ts'
import { changeShop, type ChangeShop } from '../license-changes.ts'
import { offerFor } from '../licenses.ts'
import { sell } from '../sales.ts'
import { takeLivePayments } from '../subscriptions.ts'

let app: TestApp
let other: Seller
let shop: ChangeShop
before(async () => {
  app = await startTestApp('values_of_data')
  other = await app.write((tx) => createSeller(tx, 'other-seller@example.com'))
  shop = await changeShop(app)
})
after(() => app.close())

const base = () => `/products/${app.seller.product.id}`
const get = async (path: string, token = app.seller.product.token) =>
  expectOk(await app.call('GET', path, { token })).json

test('a note names the product it was written in, and sender addresses the store they are of', async () => {
  const places: unknown[] = []
  for (const seller of [app.seller, other]) {
    const { id, token } = seller.product
    const developer = await asDeveloper(app, seller.developer)
    expectOk(await developer('PUT', `/products/${id}/emails/addresses.json`, { general: 'shop@example.com' }))
    const { store_id: storeId } = await get(`/products/${id}/emails/addresses.json`, token)
    const body = { code: 'NOTED', discount: 10, discount_type: 'percentage' }
    const coupon = await app.call('POST', `/products/${id}/coupons.json`, { token, body })
    const path = `/products/${id}/coupons/${coupon.json.id}/note.json`
    assert.equal((await app.call('POST', path, { token, body: { note: 'For friends' } })).status, 201)
    places.push([storeId, (await get(path, token)).scope_entity_id])
  }
  const own = ({ store, product }: Seller) => [store.id, product.id]
  assert.deepEqual(places, [own(app.seller), own(other)])
})

test('an event tells of its user what is known of it', async () => {
  const developer = await asDeveloper(app)
  const told: unknown[] = []
  for (const [is, status] of [
    [true, 'bounce'],
    [false, 'dropped'],
  ] as const) {
    const picture = `https://shop.example.com/${status}.png`
    const address = { email: `${status}@example.com`, name: 'Some Body', picture }
    const { json } = await app.call('POST', `${base()}/users.json`, { body: address })
    const owner = { ...keysOf(json), email: address.email }
    const body = { is_marketing_allowed: is, is_beta: is }
    expectOk(await app.call('PUT', `${base()}/users/${owner.id}.json`, { body }))
    expectOk(await developer('POST', '/bounces.json', { email: owner.email, status }))
    const note = { body: { note: status } }
    assert.equal((await app.call('POST', `${base()}/users/${owner.id}/note.json`, note)).status, 201)
    if (is) await sell(app, { owner })
    await app.write(({ db }) =>
      db.updateTable('users').set({ is_verified: is }).where('id', '=', owner.id).execute(),
    )
    const { events } = await get(`${base()}/users/${owner.id}/events.json`)
    const { user } = (await get(`${base()}/events/${events[0].id}.json`)).objects
    told.push([user.is_marketing_allowed, user.is_beta, user.is_verified, user.gross, user.email_status])
    assert.deepEqual([user.email, user.picture, user.note], [owner.email, picture, status])
    assert.equal((await get(`${base()}/users/${owner.id}.json`)).email_status, status)
  }
  assert.deepEqual(told, [
    [true, true, true, 49.99, 'bounce'],
    [false, false, false, 0, 'dropped'],
  ])
})

test('a special coupon counts its redemptions, beside what it takes off', async () => {
  for (const [code, discount, type] of [
    ['STAY', 20, 'exit_intent'],
    ['BACK', 30, 'cart_recovery'],
  ] as const) {
    const body = { code, discount, discount_type: 'percentage' }
    const { json } = await app.call('POST', `${base()}/coupons.json`, { body })
    expectOk(await app.call('PUT', `${base()}/coupons/${json.id}/special/${type}.json`))
  }
  takeLivePayments(app)
  await shop.buy({ coupon: 'STAY', sandbox: undefined, s_ctx_ts: undefined })
  await shop.buy({ coupon: 'BACK' })
  const { coupon_entities: special } = await get(`${base()}/coupons/special.json`)
  assert.deepEqual(
    special
      .map(({ code, discount, redemptions }: Record<string, unknown>) => [code, discount, redemptions])
      .toSorted(),
    [
      ['BACK', 30, 0],
      ['STAY', 20, 1],
    ],
  )
})

const licenseBy = async (id: string) =>
  (await get(`${base()}/licenses.json?enriched=true&search=${id}`)).licenses[0]

test('a license tells the rules of its plan, and what its subscription came to', async () => {
  const loose = { is_free_localhost: false, is_block_features: false }
  const dollars = { renewals_discount: 500, renewals_discount_type: 'dollar' } as const
  const sales = [
    await sell(app, { subscription: { gateway: 'paypal', initial_amount: 3000 } }),
    await sell(app, {
      offer: await offerFor(app, 5, { plan: loose }),
      payment: { gross: 2000 },
      subscription: dollars,
    }),
  ]
  const [one, two] = sales.map(({ license }) => license.id)
  assert.ok(one && two)
  expectOk(await app.call('PUT', `${base()}/licenses/${two}.json`, { body: { is_whitelabeled: true } }))
  const rules = async (id: string) => {
    const { is_free_localhost: free, is_block_features: blocks, is_whitelabeled: white } = await licenseBy(id)
    return [free, blocks, white]
  }
  assert.deepEqual(
    [await rules(one), await rules(two)],
    [
      [true, true, false],
      [false, false, true],
    ],
  )
  const paid = async (id: string) => {
    const rich = await licenseBy(id)
    return [rich.subscription_gateway, rich.subscription_initial_amount, rich.subscription_total_gross]
  }
  assert.deepEqual(
    [await paid(one), await paid(two)],
    [
      ['paypal', 30, 59.99],
      ['stripe', 49.99, 30],
    ],
  )
  const type = async (index: 0 | 1) =>
    (await get(`${base()}/subscriptions/${sales[index]?.subscription.id}.json`)).renewals_discount_type
  assert.deepEqual([await type(0), await type(1)], ['percentage', 'dollar'])
})

test('a table tells which features stand out, and a payment how long it pays for', async () => {
  const developer = await asDeveloper(app)
  const values: boolean[] = []
  for (const is_featured of [true, false]) {
    const made = await developer('POST', `${base()}/features.json`, {
      title: `Out ${is_featured}`,
      is_featured,
    })
    const path = `${base()}/plans/${shop.plans.pro}/features/${expectOk(made).json.id}.json`
    expectOk(await developer('PUT', path, { value: 'Much' }))
    expectOk(
      await developer('PUT', `${base()}/features/${made.json.id}.json`, { title: 'Changed', is_featured }),
    )
  }
  const { features } = await get(`${base()}/plans/${shop.plans.pro}/features.json`)
  assert.ok(features.every(({ updated }: { updated: string | null }) => updated !== null))
  const { plans } = await get(`${base()}/pricing.json`)
  for (const { features } of plans as { features: { is_featured: boolean }[] | null }[])
    values.push(...(features ?? []).map((feature) => feature.is_featured))
  assert.deepEqual(new Set(values), new Set([true, false]))
  const cycles = [12, 1] as const
  for (const billing_cycle of cycles) {
    const { payment } = await sell(app, { payment: { billing_cycle }, subscription: { billing_cycle } })
    const { payments } = await get(`${base()}/payments.json?extended=true&search=${payment.id}`)
    assert.equal(payments[0].billing_cycle, billing_cycle)
  }
})

test('a cart says that it is of a trial, of which cycle, and where its buyer is', async () => {
  const developer = await asDeveloper(app)
  expectOk(await developer('PUT', `${base()}/plans/${shop.plans.pro}.json`, { trial_period: 7 }))
  const cartOf = async (email: string, body: object) => {
    await shop.open({
      ...shop.sandbox(),
      user_email: email,
      country_code: 'us',
      plan_id: shop.plans.pro,
      ...body,
    })
    const { is_trial, billing_cycle, zip_postal_code } = (await get(`${base()}/carts.json?email=${email}`))
      .carts[0]
    return [is_trial, billing_cycle, zip_postal_code]
  }
  const trial = { trial: 'true', billing_cycle: 'monthly', zip_postal_code: '10115' }
  assert.deepEqual(await cartOf('trying@example.com', trial), [true, 1, '10115'])
  assert.deepEqual(await cartOf('buying@example.com', {}), [false, 12, ''])
})

test('a product tells what its settings say', async () => {
  const flags = { is_sdk_required: false, is_wp_org_compliant: false, is_static: true }
  const told = async () => {
    const { is_sdk_required, is_wp_org_compliant, is_static } = await get(`${base()}.json`)
    return { is_sdk_required, is_wp_org_compliant, is_static }
  }
  assert.deepEqual(await told(), { is_sdk_required: true, is_wp_org_compliant: true, is_static: false })
  const body = { setting_type: 5, data: JSON.stringify(flags) }
  expectOk(await app.call('PUT', `${base()}/settings.json`, { body }))
  assert.deepEqual(await told(), flags)
})

test('a license tells how often its renewal failed', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  const failed = async () => (await licenseBy(bought.id)).subscription_failed_payments
  assert.equal(await failed(), 0)
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  const now = app.ctx.clock.now()
  const place = { environment: 1, productId: app.seller.product.id, now, limit: 100 } as const
  while ((await renewDue(app.ctx, place)) > 0);
  assert.equal(await failed(), 1)
})
