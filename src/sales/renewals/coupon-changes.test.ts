import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { reportPaid } from '../../../test/reports.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { addMonths } from '../../lib/periods.ts'
import { toUtcTime } from '../../lib/time.ts'

let app: TestApp
/** What happens while a renewal that is claimed waits for the tax office. */
let meanwhile: () => Promise<unknown> = async () => {}
before(async () => {
  app = await startTestApp('renewal_coupon_changes')
  const vatIds = {
    isWellFormed: () => true,
    async isKnown() {
      await meanwhile()
      return null
    },
  }
  Object.assign(app.ctx, { vatIds })
})
beforeEach(async () => {
  app.ctx.clock.set(START)
  meanwhile = async () => {}
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const endOf = (period: number) => addMonths(toUtcTime(START), period)

const paidFor = (id: number) =>
  app.ctx.db
    .selectFrom('payments')
    .select(['gross', 'coupon_id'])
    .where('subscription_id', '=', id)
    .orderBy('id')
    .execute()

let coupons = 0

async function coupon(discount: number, has_renewals_discount: boolean): Promise<number> {
  const body = { code: `C${++coupons}`, discount, discount_type: 'percentage', has_renewals_discount }
  const { json, status, text } = await app.call('POST', path('/coupons.json'), { body })
  assert.equal(status, 201, text)
  return Number(json.id)
}

const change = (id: number, discount: number) =>
  app.call('PUT', path(`/coupons/${id}.json`), { body: { discount } })

async function take(id: number, couponId: number): Promise<void> {
  const special = path(`/coupons/${couponId}/special/subscription_cancellation.json`)
  assert.ok((await app.call('PUT', special)).status < 300)
  const taken = await app.call('PUT', path(`/subscriptions/${id}.json`), { body: { coupon_id: couponId } })
  assert.equal(taken.status, 200, taken.text)
}

/** A subscription of 10 dollars with a coupon for all renewals, and one of another buyer with it. */
async function bought(discount: number, token = 'test_succeeds') {
  const couponId = await coupon(discount, true)
  const renewal_amount = 10 * (100 - discount)
  const more = { coupon_id: couponId, initial_amount: renewal_amount, renewal_amount, vat_id: 'DE123456789' }
  const [one, other] = [await subscribed(app, { token, more }), await subscribed(app, { more })]
  return { id: one.subscription.id, other: other.subscription.id, couponId }
}

test('a renewal is priced with the coupons of the moment in which it is charged, whenever it was claimed', async () => {
  const { id, other, couponId } = await bought(10)
  const half = await coupon(50, false)
  let changed: Promise<unknown> | undefined
  meanwhile = () => (changed ??= take(id, half).then(() => change(couponId, 20)))
  await renewAt(app, endOf(1))
  await renewAt(app, endOf(2))
  assert.deepEqual(await paidFor(id), [
    { gross: 500, coupon_id: half },
    { gross: 800, coupon_id: couponId },
  ])
  assert.deepEqual(
    (await paidFor(other)).map(({ gross }) => gross),
    [800, 800],
  )
})

test('a coupon that comes while a renewal is in work is off the next one, though the one of the renewal took more off', async () => {
  const { id, couponId } = await bought(50, 'test_renewal_pending')
  await renewAt(app, endOf(1))
  await change(couponId, 10)
  const stays = await coupon(30, false)
  await take(id, stays)
  await reportPaid(app, id)
  for (const period of [2, 3]) {
    await renewAt(app, endOf(period))
    await reportPaid(app, id)
  }
  assert.deepEqual(await paidFor(id), [
    { gross: 500, coupon_id: couponId },
    { gross: 700, coupon_id: stays },
    { gross: 900, coupon_id: couponId },
  ])
})
