import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, expectOk } from '../../../test/installs.ts'
import { activateOn } from '../../../test/licenses.ts'
import { eventsAbout, ledgerFaults, paymentRow, scopeOf, sell } from '../../../test/sales.ts'
import { recordPayment } from './record-payment.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('payments')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const get = async (rest: string) => expectOk(await app.call('GET', path(rest))).json

test('a payment has every field of the contract, amounts in units of its currency', async () => {
  const { payment, owner, offer, license, subscription } = await sell(app)
  assert.deepEqual(await get(`/payments/${payment.id}.json`), {
    id: String(payment.id),
    created: '2026-01-31 10:00:00',
    updated: null,
    plugin_id: String(app.seller.product.id),
    user_id: String(owner.id),
    install_id: null,
    plan_id: String(offer.planId),
    pricing_id: String(offer.pricingId),
    license_id: license.id,
    coupon_id: null,
    user_card_id: null,
    ip: '192.0.2.7',
    country_code: 'de',
    zip_postal_code: '10115',
    vat_id: null,
    source: 0,
    external_id: payment.external_id,
    gateway: 'stripe',
    environment: 0,
    currency: 'usd',
    subscription_id: String(subscription.id),
    bound_payment_id: null,
    type: 'payment',
    gross: 49.99,
    vat: 10,
    gateway_fee: 1.75,
    is_renewal: false,
    refund_reason: null,
  })
  assert.deepEqual(await get(`/payments/${payment.id}.json?fields=id,gross`), {
    id: String(payment.id),
    gross: 49.99,
  })
})

test('a payment and its subscription tell the VAT id of the buyer', async () => {
  const bought = { vat_id: 'DE136695976' }
  const { payment, subscription } = await sell(app, { payment: bought, subscription: bought })
  assert.equal((await get(`/payments/${payment.id}.json`)).vat_id, bought.vat_id)
  assert.equal((await get(`/subscriptions/${subscription.id}.json`)).vat_id, bought.vat_id)
})

test('a payment of another product, or of another user, is not found', async () => {
  const { payment } = await sell(app)
  const { other } = app.seller
  const ofOther = await app.call('GET', `/products/${other.id}/payments/${payment.id}.json`, {
    token: other.token,
  })
  assert.equal(ofOther.status, 404)
  const { owner: stranger, payment: theirs } = await sell(app)
  const call = asUser(app, stranger)
  assert.equal((await call('GET', `/payments/${payment.id}.json`)).status, 404)
  assert.equal((await call('GET', `/payments/${theirs.id}.json`)).status, 200)
})

test('a payment is told once, written to the ledger, and counts for its user, install and subscription', async () => {
  const { payment, owner, subscription, bought } = await sell(app)
  assert.deepEqual(await eventsAbout(app, 'payment_id', payment.id), ['payment.created'])
  const install = await createInstallOf(app, owner)
  const once = paymentRow({ ...bought, installId: Number(install.id) }, START, {
    subscription_id: null,
    billing_cycle: 0,
    gross: 100,
    tax: 0,
    gateway_fee: 0,
  })
  const lifetime = await app.write((tx) => recordPayment(tx, scopeOf(app), once))
  assert.deepEqual(await eventsAbout(app, 'payment_id', lifetime.id), [
    'payment.created',
    'plan.lifetime.purchase',
  ])
  const postings = await app.ctx.db
    .selectFrom('postings')
    .select(['account', 'amount', 'currency', 'environment'])
    .where('payment_id', '=', payment.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    postings.map(({ account, amount }) => [account, amount]),
    [
      ['gateway:stripe', 5824],
      ['gateway_fees', 175],
      ['revenue', -4999],
      ['tax', -1000],
    ],
  )
  const user = await get(`/users/${owner.id}.json`)
  assert.equal(user.gross, 50.99)
  assert.equal((await get(`/installs/${install.id}.json`)).gross, 1)
  assert.equal((await get(`/subscriptions/${subscription.id}.json`)).total_gross, 59.99)
  const again = { ...once, external_id: payment.external_id }
  await assert.rejects(
    app.write((tx) => recordPayment(tx, scopeOf(app), again)),
    /id at the gateway/,
  )
  assert.deepEqual(await ledgerFaults(app), [])
})

test('what is paid in the sandbox is nothing that a user spent', async () => {
  const { owner } = await sell(app, {
    payment: { environment: 1, gateway: 'test' },
    subscription: { environment: 1, gateway: 'test' },
  })
  assert.equal((await get(`/users/${owner.id}.json`)).gross, 0)
})

test('what a user paid is nothing that another one has spent', async () => {
  const sales = [await sell(app), await sell(app)]
  for (const { owner } of sales) assert.equal((await get(`/users/${owner.id}.json`)).gross, 49.99)
})

test('a payment of nothing has no gateway and no postings, and the ledger still adds up', async () => {
  const free = { gross: 0, tax: 0, gateway_fee: 0, gateway: null, external_id: null }
  const { payment } = await sell(app, { payment: free })
  const reply = await get(`/payments/${payment.id}.json`)
  assert.deepEqual([reply.gross, reply.gateway, reply.external_id], [0, null, ''])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('the payments of an install are those for the license that is active on it', async () => {
  const { owner, license, payment } = await sell(app)
  const install = await createInstallOf(app, owner, { url: 'https://paid.example.com' })
  assert.deepEqual(await get(`/installs/${install.id}/payments.json`), { payments: [] })
  await activateOn(app, license, Number(install.id))
  const { payments } = await get(`/installs/${install.id}/payments.json?extended=true`)
  assert.deepEqual(
    payments.map((one: { id: string; email: string; billing_cycle: number }) => [
      one.id,
      one.email,
      one.billing_cycle,
    ]),
    [[String(payment.id), owner.email, 12]],
  )
  assert.deepEqual(await get(`/installs/${install.id}/payments.json?offset=1`), { payments: [] })
  assert.equal((await app.call('GET', path('/installs/999999/payments.json'))).status, 404)
})

test('an event shows its payment, subscription and license as they are now', async () => {
  const { payment, subscription, license } = await sell(app)
  const { events } = await get('/events.json?count=2')
  const [paid, started] = events
  assert.deepEqual([paid.type, started.type], ['payment.created', 'subscription.created'])
  assert.deepEqual(paid.objects.payment, await get(`/payments/${payment.id}.json`))
  assert.deepEqual([paid.objects.license.id, paid.objects.subscription], [license.id, null])
  assert.deepEqual(started.objects.subscription, await get(`/subscriptions/${subscription.id}.json`))
  assert.deepEqual([started.objects.license.id, started.objects.payment], [license.id, null])
})
