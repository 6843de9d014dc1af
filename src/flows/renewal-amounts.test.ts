import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { reportOfTest, send } from '../../test/reports.ts'
import { paymentRow, scopeOf } from '../../test/sales.ts'
import { renewAt, subscribed } from '../../test/subscriptions.ts'
import { addMonths } from '../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../lib/time.ts'
import { recordPayment } from './record-payment.ts'
import { endSubscription } from './start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renewal_amounts')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const FIRST_END = addMonths(toUtcTime(START), 1)
const SECOND_END = addMonths(toUtcTime(START), 2)

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const paidFor = async (id: number) => {
  const rows = app.ctx.db.selectFrom('payments').select('gross').where('subscription_id', '=', id)
  return (await rows.orderBy('id').execute()).map(({ gross }) => gross)
}

async function expirationOf(id: number) {
  const rows = app.ctx.db.selectFrom('licenses').select('expiration').where('id', '=', id)
  return (await rows.executeTakeFirstOrThrow()).expiration
}

let coupons = 0
/** A subscription takes a coupon of a half against cancelling. */
async function takeHalf(id: number, more: object = {}): Promise<void> {
  const body = { code: `HALF${++coupons}`, discount: 50, discount_type: 'percentage', ...more }
  const coupon = await app.call('POST', path('/coupons.json'), { body })
  const special = path(`/coupons/${coupon.json.id}/special/subscription_cancellation.json`)
  assert.ok((await app.call('PUT', special)).status < 300)
  const taken = await app.call('PUT', path(`/subscriptions/${id}.json`), {
    body: { coupon_id: Number(coupon.json.id) },
  })
  assert.equal(taken.status, 200, taken.text)
}

test('the coupon against cancelling is off the first payment after a trial where it is more than what was promised', async () => {
  const { subscription } = await subscribed(app, { more: { trial_ends: FIRST_END, initial_amount: 900 } })
  await takeHalf(subscription.id)
  await renewAt(app, FIRST_END)
  assert.deepEqual(await paidFor(subscription.id), [500])
})

test('the coupon against cancelling is off every renewal where it is for renewals, else off the next one', async () => {
  for (const isForAll of [true, false]) {
    app.ctx.clock.set(START)
    const { subscription } = await subscribed(app)
    await takeHalf(subscription.id, { has_renewals_discount: isForAll })
    await renewAt(app, FIRST_END)
    await renewAt(app, SECOND_END)
    assert.deepEqual(await paidFor(subscription.id), [500, isForAll ? 500 : 1_000])
    await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  }
})

test('a license that ends later than what a renewal pays for does not end earlier by it', async () => {
  const { subscription, licenseId } = await subscribed(app)
  const expiration = '2027-01-01 00:00:00'
  const put = await app.call('PUT', path(`/licenses/${licenseId}.json`), { body: { expiration } })
  assert.equal(put.status, 200, put.text)
  await renewAt(app, FIRST_END)
  assert.deepEqual([await paidFor(subscription.id), await expirationOf(licenseId)], [[1_000], expiration])
})

test('where missed periods are charged, one that ends at this moment is charged and the next a day later', async () => {
  const setArrears = (charge_arrears: 0 | 1) =>
    app.write(({ db }) => db.updateTable('products').set({ charge_arrears }).execute())
  await setArrears(1)
  const { subscription } = await subscribed(app)
  await renewAt(app, SECOND_END)
  assert.deepEqual(await paidFor(subscription.id), [1_000])
  const { next_payment: next, due_at: due } = await subscriptionOf(subscription.id)
  assert.deepEqual([next, due], [SECOND_END, toUtcTime(fromUtcTime(SECOND_END) + DAY)])
  await setArrears(0)
})

/** What was paid last, and given back of it, when a renewal turns out to be paid after its subscription was cancelled. */
const LAST = [
  { gross: 0, given: 0, isKept: true },
  { gross: 1_000, given: 100, isKept: true },
  { gross: 1_000, given: 1_000, isKept: false },
] as const
for (const { gross, given, isKept } of LAST) {
  test(`a renewal that is paid after its subscription was cancelled is ${isKept ? 'kept' : 'given back'} where ${given} of the ${gross} before it was given back`, async () => {
    const { subscription, licenseId, userId } = await subscribed(app, { token: 'test_renewal_pending' })
    const { id, plan_id: planId, pricing_id } = subscription
    const bought = { userId, licenseId, planId, pricingId: pricing_id ?? 0 }
    const more = {
      subscription_id: id,
      environment: 1,
      gross,
      tax: 0,
      gateway_fee: 0,
      gateway: null,
    } as const
    await app.write(async (tx) => {
      const paid = await recordPayment(tx, scopeOf(app), paymentRow(bought, START, more))
      const back = { refunded_gross: given }
      await tx.db.updateTable('payments').set(back).where('id', '=', paid.id).execute()
    })
    await renewAt(app, FIRST_END)
    const charge = await app.ctx.db
      .selectFrom('charges')
      .select('external_id')
      .where('subscription_id', '=', id)
      .executeTakeFirstOrThrow()
    await app.write((tx) => endSubscription(tx, scopeOf(app), subscription))
    const chargeId = charge.external_id ?? ''
    const paid = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
    const event = { type: 'charge', id: `paid ${id}`, at: START, chargeId, charge: paid } as const
    assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
    assert.equal(await expirationOf(licenseId), isKept ? '2026-04-01 10:00:00' : '2026-03-01 10:00:00')
  })
}
