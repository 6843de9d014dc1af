import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, eventsOf, expectOk, keysOf } from '../../../test/installs.ts'
import { activateOn, licenseOf } from '../../../test/licenses.ts'
import { eventsAbout, scopeOf, sell, subscriptionRow } from '../../../test/sales.ts'
import { startSubscription } from './start-subscription.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('subscriptions')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', rest: string, body?: object) =>
  app.call(method, path(rest), body === undefined ? {} : { body })
const get = async (rest: string) => expectOk(await call('GET', rest)).json

test('a subscription has every field of the contract, amounts in units of its currency', async () => {
  const { subscription, owner, offer, license } = await sell(app)
  assert.deepEqual(await get(`/subscriptions/${subscription.id}.json`), {
    id: String(subscription.id),
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
    external_id: subscription.external_id,
    gateway: 'stripe',
    environment: 0,
    currency: 'usd',
    billing_cycle: 12,
    tax_rate: 0.2,
    total_gross: 59.99,
    amount_per_cycle: 49.99,
    initial_amount: 49.99,
    renewal_amount: 49.99,
    renewals_discount: 0,
    renewals_discount_type: 'percentage',
    outstanding_balance: 0,
    failed_payments: 0,
    trial_ends: null,
    next_payment: '2027-01-31 10:00:00',
    canceled_at: null,
  })
  assert.deepEqual(await eventsAbout(app, 'subscription_id', subscription.id), ['subscription.created'])
})

test('its payments are listed, newest first, and no other ones', async () => {
  const { subscription, payment } = await sell(app)
  await sell(app)
  const { payments } = await get(`/subscriptions/${subscription.id}/payments.json`)
  assert.deepEqual(
    payments.map((one: { id: string }) => one.id),
    [String(payment.id)],
  )
  assert.equal((await call('GET', '/subscriptions/999999/payments.json')).status, 404)
})

test('cancelled, nothing is charged any more, the license keeps its end, and it is told once with the reasons', async () => {
  const { subscription, license } = await sell(app)
  app.ctx.clock.advance(DAY)
  const query = '?reason_ids=7,3&reason=Too%20dear'
  const first = expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json${query}`)).json
  assert.deepEqual([first.next_payment, first.canceled_at], [null, '2026-02-01 10:00:00'])
  app.ctx.clock.advance(DAY)
  const second = expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json`)).json
  assert.deepEqual(second, first)
  const after = await get(`/licenses/${license.id}.json`)
  assert.deepEqual([after.expiration, after.is_cancelled], [license.expiration, false])
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('type', '=', 'subscription.cancelled')
    .where('data', 'like', `%"subscription_id":"${subscription.id}"%`)
    .execute()
  assert.deepEqual(
    events.map(({ data }) => JSON.parse(data ?? '')),
    [
      {
        subscription_id: String(subscription.id),
        license_id: license.id,
        reason_ids: ['7', '3'],
        reason: 'Too dear',
      },
    ],
  )
})

test('reasons come with commas or again and again, and words count with "other" only', async () => {
  const reasons = async (query: string) => {
    const { subscription } = await sell(app)
    expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json${query}`))
    const { data } = await app.ctx.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'subscription.cancelled')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const { reason_ids: ids, reason } = JSON.parse(data ?? '{}') as Record<string, unknown>
    return [ids, reason]
  }
  assert.deepEqual(await reasons('?reason_ids=1&reason_ids=2'), [['1', '2'], null])
  assert.deepEqual(await reasons('?reason_ids=1,2&reason=words'), [['1', '2'], null])
  assert.deepEqual(await reasons('?reason=words'), [null, 'words'])
  assert.deepEqual(await reasons(''), [null, null])
  const { subscription } = await sell(app)
  for (const query of ['?reason_ids=16', '?reason_ids=0', '?reason_ids=x', '?reason_ids=1,1']) {
    const reply = await call('DELETE', `/subscriptions/${subscription.id}.json${query}`)
    assert.deepEqual([reply.status, reply.json.error.details[0].field], [400, 'reason_ids'], query)
  }
})

test('ten cancellations at once are one', async () => {
  const { subscription, license } = await sell(app)
  const paths = [`/subscriptions/${subscription.id}.json`, `/licenses/${license.id}/subscription.json`]
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => call('DELETE', paths[n % 2] ?? '')))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.deepEqual(await eventsAbout(app, 'subscription_id', subscription.id), [
    'subscription.created',
    'subscription.cancelled',
  ])
})

test('a license has one subscription that renews it, however many start at once', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const bought = {
    userId: owner.id,
    planId: Number(license.plan_id),
    pricingId: Number(license.pricing_id),
    licenseId: Number(license.id),
  }
  const start = () => app.write((tx) => startSubscription(tx, scopeOf(app), subscriptionRow(bought, START)))
  const results = await Promise.allSettled(Array.from({ length: 8 }, start))
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  assert.deepEqual(
    refused,
    Array.from({ length: 7 }, () => 'subscription_active'),
  )
  const current = await get(`/licenses/${license.id}/subscription.json`)
  expectOk(await call('DELETE', `/licenses/${license.id}/subscription.json`))
  const next = await start()
  assert.notEqual(String(next.id), current.id)
  assert.equal((await get(`/licenses/${license.id}/subscription.json`)).id, String(next.id))
})

test('a license answers the subscription that renews it, or else its latest one', async () => {
  const { license, subscription, bought } = await sell(app)
  const at = `/licenses/${license.id}/subscription.json`
  assert.equal((await get(at)).id, String(subscription.id))
  expectOk(await call('DELETE', at))
  assert.equal((await get(at)).id, String(subscription.id))
  const later = await app.write((tx) => startSubscription(tx, scopeOf(app), subscriptionRow(bought, START)))
  assert.equal((await get(at)).id, String(later.id))
  const never = await licenseOf(app)
  assert.equal((await call('GET', `/licenses/${never.id}/subscription.json`)).status, 404)
  assert.equal((await call('DELETE', `/licenses/${never.id}/subscription.json`)).status, 404)
})

test('the subscriptions of the license on an install are listed, to the install only those of its own user', async () => {
  const { license, subscription, owner, bought } = await sell(app)
  const install = await createInstallOf(app, owner, { url: 'https://own.example.com' })
  const rest = (id: string) => `/installs/${id}/licenses/${license.id}/subscriptions.json`
  assert.equal((await call('GET', rest(install.id))).status, 404, 'not on it')
  await activateOn(app, license, Number(install.id))
  const { subscriptions } = await get(rest(install.id))
  assert.deepEqual(
    subscriptions.map(({ id }: { id: string }) => id),
    [String(subscription.id)],
  )
  expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json`))
  await app.write((tx) => startSubscription(tx, scopeOf(app), subscriptionRow(bought, START)))
  assert.equal((await get(rest(install.id))).subscriptions.length, 2)
  assert.equal((await get(`${rest(install.id)}?count=1`)).subscriptions.length, 1)
  const foreign = await createInstallOf(app, await createOwner(app), { url: 'https://else.example.com' })
  await activateOn(app, license, Number(foreign.id))
  const asForeign = asInstall(app, keysOf(foreign))
  const own = await asForeign('GET', `/licenses/${license.id}/subscriptions.json`)
  assert.deepEqual([own.status, own.json], [200, { subscriptions: [] }])
  assert.deepEqual((await asForeign('GET', '/payments.json')).json, { payments: [] })
  assert.equal((await get(rest(foreign.id))).subscriptions.length, 2)
})

test('a user cancels its own subscription and sees nobody else’s', async () => {
  const one = await sell(app)
  const two = await sell(app)
  const user = asUser(app, one.owner)
  assert.equal((await user('GET', `/subscriptions/${two.subscription.id}.json`)).status, 404)
  assert.equal((await user('DELETE', `/subscriptions/${two.subscription.id}.json`)).status, 404)
  assert.equal((await user('GET', `/licenses/${two.license.id}/subscription.json`)).status, 404)
  const { status, json } = await user('DELETE', `/licenses/${one.license.id}/subscription.json`)
  assert.deepEqual([status, json.next_payment], [200, null])
  assert.equal((await get(`/subscriptions/${two.subscription.id}.json`)).canceled_at, null)
})

test('a user pays as long as a subscription of its own renews', async () => {
  const { owner, subscription } = await sell(app)
  const paying = async () =>
    (await get('/users.json?filter=paying&count=50')).users.some(
      (one: { id: string }) => one.id === String(owner.id),
    )
  assert.equal(await paying(), true)
  expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json`))
  assert.equal(await paying(), false)
})

test('cancelling ends a trial of the subscription that runs, and its license', async () => {
  const { owner, subscription, offer } = await sell(app, {
    subscription: { trial_ends: '2026-02-14 10:00:00' as never },
  })
  await app.ctx.database.transaction((db) =>
    db.updateTable('plans').set({ trial_period: 14 }).where('id', '=', offer.planId).execute(),
  )
  const install = await createInstallOf(app, owner)
  const { json } = expectOk(await call('POST', `/installs/${install.id}/plans/${offer.planId}/trials.json`))
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('trials')
      .set({ subscription_id: subscription.id })
      .where('id', '=', Number(json.trial.id))
      .execute(),
  )
  const ended = expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json`)).json
  assert.equal(ended.trial_ends, '2026-01-31 10:00:00')
  assert.equal((await get(`/licenses/${json.license_id}.json`)).is_cancelled, true)
  const types = (await eventsOf(app, install.id)).map(({ type }) => type)
  assert.ok(types.includes('install.trial.cancelled'), types.join())
  expectOk(await call('DELETE', `/subscriptions/${subscription.id}.json`))
})
