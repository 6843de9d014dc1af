import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('coupon_meanwhile')
  shop = await changeShop(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

let codes = 0

/** The coupon against cancelling, of 30 %. */
async function against(has_renewals_discount: boolean): Promise<{ coupon_id: number }> {
  const body = { code: `STAY${++codes}`, discount: 30, discount_type: 'percentage', has_renewals_discount }
  const { json: coupon } = await app.call('POST', `${shop.base}/coupons.json`, { body })
  const special = `${shop.base}/coupons/${coupon.id}/special/subscription_cancellation.json`
  assert.ok((await app.call('PUT', special)).status < 300)
  return { coupon_id: Number(coupon.id) }
}

async function take(licenseId: string, body: { coupon_id: number }): Promise<void> {
  const { id } = await shop.subscriptionOf(licenseId)
  const taken = await app.call('PUT', `${shop.base}/subscriptions/${id}.json`, { body })
  assert.equal(taken.status, 200, taken.text)
}

async function renewTimes(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const due = app.ctx.db.selectFrom('subscriptions').select('due_at').where('due_at', 'is not', null)
    const { due_at: at } = await due.orderBy('due_at').limit(1).executeTakeFirstOrThrow()
    app.ctx.clock.set(Date.parse(`${at ?? ''}Z`))
    await renewNow(app)
  }
}

const grossesOf = async (id: string) => (await shop.paymentsOf(id)).map(({ gross }) => gross)

/** Only the license that is looked at is renewed. */
const endOthers = (id: string) =>
  app.write(({ db }) =>
    db.updateTable('subscriptions').set({ due_at: null }).where('license_id', '<>', Number(id)).execute(),
  )

for (const [isForAll, later] of [
  [false, [700, 1_000]],
  [true, [700, 700]],
] as const) {
  const which = isForAll ? 'all renewals' : 'one renewal'
  test(`a coupon against cancelling for ${which} that is taken while a renewal at the checkout waits for its bank is off the next one`, async () => {
    const coupon = await against(isForAll)
    const { id } = await shop.buy({ billing_cycle: 'monthly' })
    const beside = await shop.buy({ billing_cycle: 'monthly' })
    const { json: session } = await shop.openFor(id)
    assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
    await take(id, coupon)
    assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
    const shown = await shop.subscriptionOf(id)
    assert.deepEqual([shown.renewal_amount, shown.coupon_id], [7, String(coupon.coupon_id)])
    const [first] = await shop.subscriptionsOf(beside.id)
    assert.equal(first?.coupon_id, null)
    await endOthers(id)
    await renewTimes(2)
    assert.deepEqual(await grossesOf(id), [1_000, 1_000, ...later])
  })
}

test('a coupon against cancelling that is taken while another plan waits for its bank is off its first renewal', async () => {
  const coupon = await against(false)
  const { id } = await shop.buy({ billing_cycle: 'monthly' })
  const { json: session } = await shop.openFor(id, { plan_id: shop.plans.pro })
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  await take(id, coupon)
  app.ctx.clock.advance(10 * MINUTE)
  assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
  await endOthers(id)
  await renewTimes(2)
  assert.deepEqual((await grossesOf(id)).slice(2), [1_400, 2_000])
})

test('a coupon of all renewals stays beside one against cancelling that is taken while a renewal at the checkout waits', async () => {
  const body = { code: 'EACH20', discount: 20, discount_type: 'percentage', has_renewals_discount: true }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  const coupon = await against(false)
  const { id } = await shop.buy({ billing_cycle: 'monthly', coupon: 'EACH20' })
  const { json: session } = await shop.openFor(id)
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  await take(id, coupon)
  assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
  await endOthers(id)
  await renewTimes(2)
  assert.deepEqual(await grossesOf(id), [800, 800, 700, 800])
})
