import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { logIn, setPassword } from '../../../test/logins.ts'
import { scopeOf, sell } from '../../../test/sales.ts'
import { openDispute } from '../refunds/disputes.ts'
import { recordPayment } from './record-payment.ts'
import { MINUTE } from '../../lib/time.ts'
import { countSales } from './count-sales-job.ts'
import { runDue } from '../../jobs/worker.ts'

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
  await app.write((tx) =>
    recordPayment(tx, scopeOf(app), { ...again, external_id: 'again', is_renewal: true }),
  )
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
    created: app.ctx.clock.now(),
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

/** What each developer is told to have earned, at the login and by the session. */
async function earned({ developer }: Seller, email: string) {
  const session = await logIn(app, { account: developer.id, body: { email } })
  const { json } = await session.call('GET', '/session.json')
  return [session.reply.json.person.earnings, json.person.earnings]
}

test('a developer is told what all its products earned, other currencies beside, refunds taken off, and nothing of another', async () => {
  const own = await app.write((tx) => createSeller(tx, 'earning@example.com'))
  const foreign = await app.write((tx) => createSeller(tx, 'foreign@example.com'))
  const [mine, theirs] = [own, foreign].map((seller) => ({ ...app, seller }))
  assert.ok(mine && theirs)
  for (const { developer } of [own, foreign]) await setPassword(app, developer.id)
  assert.deepEqual(await earned(own, 'earning@example.com'), [0, 0])

  const elsewhere = { gateway: null, tax: 0, gateway_fee: 0 }
  const first = await sell(mine, { product: own.product, payment: { ...elsewhere, gross: 4999 } })
  await sell(mine, { product: own.other, payment: { currency: 'eur', gross: 3000 } })
  await sell(mine, { product: own.other, payment: { environment: 1 }, subscription: { environment: 1 } })
  await sell(theirs, { product: foreign.product, payment: { currency: 'gbp', gross: 10_000 } })
  const call = await asDeveloper(mine, own.developer)
  const refund = `/products/${own.product.id}/payments/${first.payment.id}/refunds.json`
  const refunded = await call('POST', refund, { amount: 12.49 })
  assert.equal(refunded.status, 201, refunded.text)
  assert.deepEqual((await totals(own.product))[4], 37.5)
  assert.deepEqual((await totals(own.other))[4], 30)
  assert.deepEqual(await earned(own, 'earning@example.com'), [67.5, 67.5])
  assert.deepEqual(await earned(foreign, 'foreign@example.com'), [100, 100])
})
