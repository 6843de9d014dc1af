import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsAbout, ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('disputes')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const get = async (rest: string) => (await app.call('GET', path(rest))).json
const open = (paymentId: number, minor = 5999) =>
  app.write((tx) => openDispute(tx, scopeOf(app), { paymentId, minor, fee: 1500 }))
const settle = (paymentId: number, isWon: boolean) =>
  app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId, isWon }))
const listed = async (filter: string) =>
  (await get(`/payments.json?filter=${filter}`)).payments.map((one: { id: string }) => Number(one.id))

test('a dispute takes the money away until it is won, and is told at each step', async () => {
  const { payment, license } = await sell(app)
  const disputed = await open(payment.id)
  const row = await get(`/payments/${disputed.id}.json`)
  assert.deepEqual(
    [row.type, row.gross, row.vat, row.gateway_fee, row.bound_payment_id],
    ['disputed', -49.99, -10, 15, String(payment.id)],
  )
  assert.deepEqual(await listed('disputed'), [disputed.id])
  const won = await settle(payment.id, true)
  assert.deepEqual([(await get(`/payments/${won.id}.json`)).gross, won.type], [49.99, 'won_dispute'])
  assert.deepEqual(await listed('won_disputes'), [won.id])
  assert.deepEqual(await eventsAbout(app, 'bound_payment_id', payment.id), [
    'payment.dispute.created',
    'payment.dispute.won',
    'payment.dispute.closed',
  ])
  assert.equal((await get(`/licenses/${license.id}.json`)).is_cancelled, false)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a dispute that is lost cancels license and subscription as a full refund does', async () => {
  const { payment, license, subscription } = await sell(app)
  await open(payment.id)
  const lost = await settle(payment.id, false)
  assert.deepEqual([lost.type, lost.gross], ['lost_dispute', 0])
  assert.deepEqual(await listed('chargebacks'), [lost.id])
  assert.equal((await get(`/licenses/${license.id}.json`)).is_cancelled, true)
  assert.equal((await get(`/subscriptions/${subscription.id}.json`)).next_payment, null)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a payment is disputed once and a dispute settled once, however often a gateway reports it', async () => {
  const { payment } = await sell(app)
  const opened = await Promise.all(Array.from({ length: 5 }, () => open(payment.id)))
  assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
  const closed = await Promise.all(Array.from({ length: 6 }, (_, n) => settle(payment.id, n % 2 === 0)))
  assert.equal(new Set(closed.map(({ id }) => id)).size, 1)
  assert.equal((await eventsAbout(app, 'bound_payment_id', payment.id)).length, 3)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('what is disputed of a payment is what is left of it', async () => {
  const { payment } = await sell(app)
  const part = await open(payment.id, 3000)
  assert.deepEqual([part.gross + part.tax], [-3000])
  const { payment: other } = await sell(app)
  await assert.rejects(settle(other.id, true), /not disputed/)
  await assert.rejects(open(999_999), /no such payment/)
  await assert.rejects(open(part.id), /Only a payment/)
  assert.deepEqual(await ledgerFaults(app), [])
})
