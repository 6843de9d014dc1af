import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { scopeOf, sell } from '../../test/sales.ts'
import { openDispute } from '../flows/disputes.ts'
import { recordPayment } from '../flows/record-payment.ts'
import { MINUTE, toUtcTime } from '../lib/time.ts'
import { countSales } from './count-sales.ts'
import { runDue } from './worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('count_sales')
  await runDue(app.ctx, [countSales])
})
after(() => app.close())

async function totals({ id, token } = app.seller.product) {
  app.ctx.clock.advance(5 * MINUTE)
  await runDue(app.ctx, [countSales])
  const { json } = await app.call('GET', `/products/${id}.json`, { token })
  const { total_purchases, total_renewals, total_subscriptions, total_failed_purchases, earnings } = json
  assert.equal(json.updated, null)
  return [total_purchases, total_renewals, total_subscriptions, total_failed_purchases, earnings]
}

test('a product says what it sold, renewed and earned, what was disputed taken off, and nothing of the sandbox', async () => {
  assert.deepEqual(await totals(), [0, 0, 0, 0, 0])
  const first = await sell(app)
  const second = await sell(app, { payment: { currency: 'eur', gross: 3000 }, offer: first.offer })
  await sell(app, { payment: { environment: 1 }, subscription: { environment: 1 }, offer: first.offer })
  const {
    id: _,
    created: _1,
    updated: _2,
    refunded_gross: _3,
    refunded_tax: _4,
    product_id: _5,
    ...again
  } = first.payment
  await app.write((tx) => recordPayment(tx, scopeOf(app), { ...again, external_id: 'again', is_renewal: 1 }))
  await app.write((tx) =>
    openDispute(tx, scopeOf(app), { paymentId: second.payment.id, minor: 4000, fee: 1500 }),
  )
  assert.deepEqual(await totals(), [2, 1, 2, 0, 99.98])
  assert.deepEqual(await totals(app.seller.other), [0, 0, 0, 0, 0])
})

test('a purchase that the bank declined counts as failed, one of the sandbox or under way does not', async () => {
  const charge = (key: string, more: object) => ({
    key,
    product_id: app.seller.product.id,
    user_id: null,
    environment: 0 as const,
    purpose: 'purchase' as const,
    subscription_id: null,
    payment_id: null,
    amount: 4999,
    currency: 'usd' as const,
    gateway: 'stripe',
    state: 'declined' as const,
    external_id: null,
    details: null,
    outcome_id: null,
    lease_until: Number.MAX_SAFE_INTEGER,
    settled_at: null,
    created: toUtcTime(app.ctx.clock.real()),
    updated: null,
    ...more,
  })
  const charges = [
    charge('declined', {}),
    charge('in the sandbox', { environment: 1 }),
    charge('under way', { state: 'started' }),
    charge('a renewal', { purpose: 'renewal' }),
  ]
  await app.write(({ db }) => db.insertInto('charges').values(charges).execute())
  assert.equal((await totals())[3], 1)
})
