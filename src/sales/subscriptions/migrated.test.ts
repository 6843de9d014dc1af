import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { eventsOfLicense, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { eventsAbout, ledgerFaults, sell } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('migrated_payments')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const get = async (rest: string) => expectOk(await app.call('GET', path(rest))).json
const post = (id: number | string, body: object) =>
  app.call('POST', path(`/subscriptions/${id}/payments.json`), { body })

let people = 0

/** Brings a purchase along, as the migration of another platform does. */
async function brought(given: object) {
  const offer = await offerFor(app, 1)
  const userId = await userOf(app, `brought${++people}@example.com`)
  const body = { is_migration: true, source: 'EDD', license_key: `edd-key-${people}`, ...given }
  const place = `/users/${userId}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
  return { userId, ...expectOk(await app.call('POST', path(place), { body })).json }
}

test('a purchase that is brought along is a payment elsewhere, with its time and its id there', async () => {
  const {
    id,
    license_id: licenseId,
    userId,
  } = await brought({
    billing_cycle: 0,
    gross: 49.99,
    vat: 5,
    processed_at: '2024-05-01 08:00:00',
    payment_external_id: '4711',
  })
  const payment = await get(`/payments/${id}.json`)
  assert.deepEqual(
    [payment.gross, payment.vat, payment.created, payment.external_id, payment.gateway, payment.source],
    [49.99, 5, '2024-05-01 08:00:00', '4711', null, 2],
  )
  assert.deepEqual([payment.license_id, payment.user_id, payment.subscription_id], [licenseId, userId, null])
  assert.deepEqual(await eventsOfLicense(app, licenseId), [], 'a migration is silent')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('one that renews is a subscription, which is not charged here', async () => {
  const { id, license_id: licenseId } = await brought({
    billing_cycle: 12,
    gross: 30,
    processed_at: '2025-05-01 08:00:00',
    next_payment: '2026-05-01 08:00:00',
    subscription_external_id: 'I-99',
  })
  const subscription = await get(`/licenses/${licenseId}/subscription.json`)
  assert.deepEqual(
    [subscription.id, subscription.external_id, subscription.renewal_amount, subscription.next_payment],
    [String(id), 'I-99', 30, '2026-05-01 08:00:00'],
  )
  const row = await app.ctx.db
    .selectFrom('subscriptions')
    .select('due_at')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  assert.equal(row.due_at, null)
  assert.deepEqual((await get(`/subscriptions/${id}/payments.json`)).payments, [])
})

test('its payments are written down with fee and tax, all but the first as renewals', async () => {
  const { id, license_id: licenseId } = await brought({ billing_cycle: 1, gross: 5 })
  const first = expectOk(
    await post(id, {
      gross: '12.34',
      vat: 2.47,
      gateway_fee: 0.66,
      payment_external_id: 'p1',
      source: 'woo',
      processed_at: '2025-12-31 00:00:00',
      is_migration: true,
    }),
  ).json
  assert.deepEqual(
    [first.gross, first.vat, first.gateway_fee, first.source, first.created, first.is_renewal, first.gateway],
    [12.34, 2.47, 0.66, 3, '2025-12-31 00:00:00', false, null],
  )
  const second = expectOk(await post(id, { payment_external_id: 'p2' })).json
  assert.deepEqual([second.gross, second.vat, second.is_renewal, second.source], [5, 0, true, 2])
  assert.equal((await post(id, { payment_external_id: 'p2' })).json.error.code, 'payment_external_id_taken')
  assert.equal((await get(`/subscriptions/${id}.json`)).total_gross, 19.81)
  assert.deepEqual(await eventsAbout(app, 'license_id', licenseId), ['payment.created'], 'the second')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('the license ends a cycle later when it is asked for, and the next payment is what is said', async () => {
  const { subscription, license } = await sell(app, { subscription: { billing_cycle: 1 } })
  assert.equal(license.expiration, '2027-01-31 10:00:00')
  const next_payment = '2026-07-01 00:00:00'
  expectOk(await post(subscription.id, { gross: 1, is_extend_license: true, next_payment }))
  assert.equal((await get(`/licenses/${license.id}.json`)).expiration, '2027-02-28 10:00:00')
  assert.equal((await get(`/subscriptions/${subscription.id}.json`)).next_payment, next_payment)
  const extended = (await eventsOfLicense(app, license.id)).find(({ type }) => type === 'license.extended')
  assert.equal(extended?.data['is_renewal'], true)
  expectOk(await post(subscription.id, { gross: 1 }))
  assert.equal((await get(`/licenses/${license.id}.json`)).expiration, '2027-02-28 10:00:00')
})

test('of a subscription that is cancelled, and of a license for life, nothing moves', async () => {
  const { subscription } = await sell(app)
  expectOk(await app.call('DELETE', path(`/subscriptions/${subscription.id}.json`)))
  expectOk(await post(subscription.id, { next_payment: '2030-01-01 00:00:00', is_extend_license: true }))
  assert.equal((await get(`/subscriptions/${subscription.id}.json`)).next_payment, null)
  const offer = await offerFor(app, 1)
  const life = await licenseOn(app, offer, { body: { period: 0 } })
  const other = await sell(app)
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('subscriptions')
      .set({ license_id: Number(life.id) })
      .where('id', '=', other.subscription.id)
      .execute(),
  )
  expectOk(await post(other.subscription.id, { is_extend_license: true }))
  assert.equal((await get(`/licenses/${life.id}.json`)).expiration, null)
})

test('what is malformed is named, all of it at once, and nothing is written', async () => {
  const { subscription } = await sell(app)
  const reply = await post(subscription.id, {
    gross: -1,
    vat: 1.001,
    gateway_fee: 'x',
    source: 'nowhere',
    processed_at: '2026-13-01 00:00:00',
    next_payment: 'soon',
    is_extend_license: 'maybe',
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(reply.json.error.details.map(({ field }: { field: string }) => field).toSorted(), [
    'gateway_fee',
    'gross',
    'is_extend_license',
    'next_payment',
    'processed_at',
    'source',
    'vat',
  ])
  assert.equal((await get(`/subscriptions/${subscription.id}/payments.json`)).payments.length, 1)
  assert.equal((await post(999_999, { gross: 1 })).status, 404)
})
