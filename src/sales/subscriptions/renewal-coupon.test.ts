import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { eventsAbout, scopeOf, sell, subscriptionRow } from '../../../test/sales.ts'
import { startSubscription } from './start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renewal_coupon')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const put = (id: number, body: object) => app.call('PUT', path(`/subscriptions/${id}.json`), { body })
const codeOf = async (reply: ReturnType<typeof put>) => (await reply).json.error?.code

let coupons = 0

/** A coupon, in the place of the special one against cancelling unless `isSpecial` is false. */
async function coupon(given: object, { isSpecial = true } = {}): Promise<number> {
  const body = { code: `STAY${++coupons}`, discount: 10, discount_type: 'percentage', ...given }
  const made = await app.call('POST', path('/coupons.json'), { body })
  assert.equal(made.status, 201, made.text)
  const special = path(`/coupons/${made.json.id}/special/subscription_cancellation.json`)
  if (isSpecial) expectOk(await app.call('PUT', special))
  return Number(made.json.id)
}

test('the coupon is off the renewals, after the discount of the subscription, and is shown in the lists', async () => {
  const { subscription, owner } = await sell(app, {
    subscription: { amount_per_cycle: 10_000, renewals_discount: 2_000, renewal_amount: 8_000 },
  })
  const couponId = await coupon({ discount: 25, has_renewals_discount: true })
  const reply = await put(subscription.id, { coupon_id: couponId, auto_renew: true })
  assert.deepEqual(
    [reply.status, reply.json.renewal_amount, reply.json.coupon_id],
    [200, 60, String(couponId)],
  )
  assert.equal(reply.json.has_subscription_cancellation_discount, true)
  assert.deepEqual(await eventsAbout(app, 'subscription_id', subscription.id), [
    'subscription.created',
    'subscription.renewals.discounted',
  ])
  const query = 'enrich_with_cancellation_discounts=true'
  const ofProduct = (await app.call('GET', path(`/subscriptions.json?${query}`))).json
  const [discount] = ofProduct.discounts[String(subscription.id)]
  assert.deepEqual(
    [discount.entity_id, discount.entity_type, discount.type, discount.discount, discount.coupon_id],
    [String(subscription.id), 'subscription', 'subscription_cancellation', 20, String(couponId)],
  )
  const ofUser = (await app.call('GET', path(`/users/${owner.id}/subscriptions.json?${query}`))).json
  assert.deepEqual(ofUser.discounts, [discount])
  assert.equal(ofUser.subscriptions[0].has_subscription_cancellation_discount, true)
})

test('dollars count in the currency of the subscription, and never more than the renewal comes to', async () => {
  const couponId = await coupon({
    discount_type: 'dollar',
    discount: 100,
    discounts: { usd: 100, eur: 3, gbp: 2 },
    has_renewals_discount: true,
  })
  const euros = await sell(app, { subscription: { currency: 'eur' } })
  assert.equal((await put(euros.subscription.id, { coupon_id: couponId })).json.renewal_amount, 46.99)
  const dollars = await sell(app)
  assert.equal((await put(dollars.subscription.id, { coupon_id: couponId })).json.renewal_amount, 0)
})

test('of one renewal only, the wallet gateway lets at most 16 % off, and any part off all of them', async () => {
  const { subscription } = await sell(app, {
    subscription: { gateway: 'paypal', amount_per_cycle: 10_000, renewal_amount: 10_000 },
  })
  const couponId = await coupon({ discount: 50 })
  assert.equal((await put(subscription.id, { coupon_id: couponId })).json.renewal_amount, 84)
  const lasting = await sell(app, {
    subscription: { gateway: 'paypal', amount_per_cycle: 10_000, renewal_amount: 10_000 },
  })
  const forAll = await coupon({ discount: 50, has_renewals_discount: true })
  assert.equal((await put(lasting.subscription.id, { coupon_id: forAll })).json.renewal_amount, 50)
})

test('ten who ask at once have the coupon once, and a license has it once in its life', async () => {
  const { subscription, bought } = await sell(app)
  const couponId = await coupon({ has_renewals_discount: true })
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => put(subscription.id, { coupon_id: couponId })),
  )
  const codes = replies.map(({ status, json }) => (status === 200 ? 'done' : json.error.code))
  assert.deepEqual(codes.toSorted(), [...Array.from({ length: 9 }, () => 'coupon_already_used'), 'done'])
  expectOk(await app.call('DELETE', path(`/subscriptions/${subscription.id}.json`)))
  const next = await app.write((tx) => startSubscription(tx, scopeOf(app), subscriptionRow(bought, START)))
  assert.equal(await codeOf(put(next.id, { coupon_id: couponId })), 'coupon_already_used')
})

test('another coupon, and a cancelled subscription, are refused', async () => {
  const { subscription, owner } = await sell(app)
  const special = await coupon({})
  const other = await coupon({}, { isSpecial: false })
  assert.equal(await codeOf(put(subscription.id, { coupon_id: other })), 'coupon_not_applicable')
  assert.equal(await codeOf(put(subscription.id, { coupon_id: 999_999 })), 'coupon_not_applicable')
  assert.equal((await put(999_999, { coupon_id: special })).status, 404)
  const plain = await put(subscription.id, { auto_renew: true })
  assert.deepEqual([plain.status, plain.json.has_subscription_cancellation_discount], [200, false])
  const stranger = await sell(app)
  const asStranger = asUser(app, stranger.owner)
  const foreign = await asStranger('PUT', `/subscriptions/${subscription.id}.json`, { coupon_id: special })
  assert.equal(foreign.status, 404)
  const own = await asUser(app, owner)('PUT', `/subscriptions/${subscription.id}.json`, {
    coupon_id: special,
  })
  assert.equal(own.json.has_subscription_cancellation_discount, true)
  expectOk(await app.call('DELETE', path(`/subscriptions/${stranger.subscription.id}.json`)))
  assert.equal(await codeOf(put(stranger.subscription.id, { coupon_id: special })), 'subscription_cancelled')
})
