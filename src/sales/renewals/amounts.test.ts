import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { reportPaid } from '../../../test/reports.ts'
import { paymentRow, scopeOf } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'

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
/** A coupon of a half against cancelling, as a subscription takes it. */
async function halfOf(has_renewals_discount = false): Promise<{ coupon_id: number }> {
  const body = { code: `HALF${++coupons}`, discount: 50, discount_type: 'percentage', has_renewals_discount }
  const coupon = await app.call('POST', path('/coupons.json'), { body })
  const special = path(`/coupons/${coupon.json.id}/special/subscription_cancellation.json`)
  assert.ok((await app.call('PUT', special)).status < 300)
  return { coupon_id: Number(coupon.json.id) }
}

async function takeHalf(id: number, isForAll = false): Promise<void> {
  const body = await halfOf(isForAll)
  const taken = await app.call('PUT', path(`/subscriptions/${id}.json`), { body })
  assert.equal(taken.status, 200, taken.text)
}

const nextOf = async (id: number) =>
  (await app.call('GET', path(`/subscriptions/${id}/choices.json`))).json.next_amount

test('what is charged next is told without tax, to the cent: first payment, discount of renewals and coupon', async () => {
  const trial = { trial_ends: FIRST_END, initial_amount: 900 }
  for (const [more, takesHalf, expected] of [
    [{}, false, 10],
    [{ renewals_discount: 2_000 }, false, 8],
    [{ renewal_amount: 777 }, false, 10],
    [trial, false, 9],
    [trial, true, 5],
    [{}, true, 5],
  ] as const) {
    app.ctx.clock.set(START)
    const { subscription } = await subscribed(app, { more })
    if (takesHalf) await takeHalf(subscription.id)
    assert.equal(await nextOf(subscription.id), expected, JSON.stringify([more, takesHalf]))
    await renewAt(app, FIRST_END)
    assert.deepEqual(await paidFor(subscription.id), [expected * 100])
  }
})

test('nothing is charged next for what is cancelled, or is paid elsewhere', async () => {
  const { subscription } = await subscribed(app)
  assert.equal(await nextOf(subscription.id), 10)
  await app.call('DELETE', path(`/subscriptions/${subscription.id}.json`))
  assert.equal(await nextOf(subscription.id), null)
  const { subscription: brought } = await subscribed(app, { token: null, more: { source: 1 } })
  assert.equal(await nextOf(brought.id), null)
})

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
    await takeHalf(subscription.id, isForAll)
    await renewAt(app, FIRST_END)
    await renewAt(app, SECOND_END)
    assert.deepEqual(await paidFor(subscription.id), [500, isForAll ? 500 : 1_000])
    await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  }
})

/** A subscription of 10 dollars that was bought with a coupon for all renewals. */
async function boughtWith(discount: number) {
  const body = {
    code: `LASTS${++coupons}`,
    discount,
    discount_type: 'percentage',
    has_renewals_discount: true,
  }
  const { json } = await app.call('POST', path('/coupons.json'), { body })
  const renewal_amount = 10 * (100 - discount)
  const { subscription } = await subscribed(app, {
    more: { coupon_id: Number(json.id), initial_amount: renewal_amount, renewal_amount },
  })
  return { id: subscription.id, couponId: Number(json.id) }
}

const discountOf = (couponId: number, discount: number) =>
  app.call('PUT', path(`/coupons/${couponId}.json`), { body: { discount } })

test('a coupon against cancelling for one renewal gives the coupon of all renewals back once it is used', async () => {
  const { id, couponId } = await boughtWith(10)
  await takeHalf(id)
  assert.equal((await subscriptionOf(id)).renewal_amount, 500)
  await renewAt(app, FIRST_END)
  const after = await subscriptionOf(id)
  assert.deepEqual([after.coupon_id, after.replaced_coupon_id, after.renewal_amount], [couponId, null, 900])
  await renewAt(app, SECOND_END)
  assert.deepEqual(await paidFor(id), [500, 900])
})

test('a coupon against cancelling that is taken while a renewal is in work is off the next one', async () => {
  const { subscription } = await subscribed(app, { token: 'test_renewal_pending' })
  await renewAt(app, FIRST_END)
  await takeHalf(subscription.id)
  const pay = () => reportPaid(app, subscription.id)
  await pay()
  assert.equal((await subscriptionOf(subscription.id)).renewal_amount, 500)
  await renewAt(app, SECOND_END)
  await pay()
  assert.deepEqual(await paidFor(subscription.id), [1_000, 500])
  assert.equal((await subscriptionOf(subscription.id)).renewal_amount, 1_000)
})

test('of two coupons of all renewals, one against cancelling gives the better one back, whichever came last', async () => {
  const { id, couponId } = await boughtWith(30)
  const { couponId: last } = await boughtWith(10)
  await app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ coupon_id: last, replaced_coupon_id: couponId })
      .where('id', '=', id)
      .execute(),
  )
  await takeHalf(id)
  await renewAt(app, FIRST_END)
  await renewAt(app, SECOND_END)
  assert.deepEqual(await paidFor(id), [500, 700])
})

test('of a coupon against cancelling for all renewals and the one it replaced, the better one counts at each', async () => {
  const { id, couponId } = await boughtWith(10)
  await takeHalf(id, true)
  await renewAt(app, FIRST_END)
  await discountOf(couponId, 60)
  await renewAt(app, SECOND_END)
  assert.deepEqual(await paidFor(id), [500, 400])
})

test('a coupon against cancelling that takes nothing more off is refused, and stays to be taken', async () => {
  for (const has_renewals_discount of [true, false]) {
    app.ctx.clock.set(START)
    const { id, couponId } = await boughtWith(50)
    const body = await halfOf(has_renewals_discount)
    const refused = await app.call('PUT', path(`/subscriptions/${id}.json`), { body })
    assert.deepEqual([refused.status, refused.json.error?.code], [400, 'coupon_not_applicable'])
    const { coupon_id, renewal_amount } = await subscriptionOf(id)
    assert.deepEqual([coupon_id, renewal_amount], [couponId, 500])
    await discountOf(couponId, 40)
    const taken = await app.call('PUT', path(`/subscriptions/${id}.json`), { body })
    assert.deepEqual([taken.status, taken.json.renewal_amount], [200, 5])
    await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  }
})

test('before the end of a trial, a coupon against cancelling that is less than what was promised is refused', async () => {
  const { subscription } = await subscribed(app, { more: { trial_ends: FIRST_END, initial_amount: 400 } })
  const body = await halfOf(false)
  const refused = await app.call('PUT', path(`/subscriptions/${subscription.id}.json`), { body })
  assert.deepEqual([refused.status, refused.json.error?.code], [400, 'coupon_not_applicable'])
  await renewAt(app, FIRST_END)
  assert.deepEqual(await paidFor(subscription.id), [400])
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
  const setArrears = (charge_arrears: boolean) =>
    app.write(({ db }) => db.updateTable('products').set({ charge_arrears }).execute())
  await setArrears(true)
  const { subscription } = await subscribed(app)
  await renewAt(app, SECOND_END)
  assert.deepEqual(await paidFor(subscription.id), [1_000])
  const { next_payment: next, due_at: due } = await subscriptionOf(subscription.id)
  assert.deepEqual([next, due], [SECOND_END, toUtcTime(fromUtcTime(SECOND_END) + DAY)])
  await setArrears(false)
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
    await app.write((tx) => endSubscription(tx, scopeOf(app), subscription))
    await reportPaid(app, id)
    assert.equal(await expirationOf(licenseId), isKept ? '2026-04-01 10:00:00' : '2026-03-01 10:00:00')
  })
}
