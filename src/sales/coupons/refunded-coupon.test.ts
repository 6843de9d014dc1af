import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('refunded_coupon')
  shop = await changeShop(app)
})
after(() => app.close())

async function couponOf(code: string, more: object): Promise<string> {
  const body = { code, discount: 50, discount_type: 'percentage', ...more }
  const made = await app.call('POST', `${shop.base}/coupons.json`, { body })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

/** As the sandbox counts, in which all is bought here. */
async function redemptionsOf(id: string): Promise<number> {
  const coupons = app.ctx.db.selectFrom('coupons').select('sandbox_redemptions')
  return (await coupons.where('id', '=', Number(id)).executeTakeFirstOrThrow()).sandbox_redemptions
}

async function giveBack(licenseId: string, body: object = {}): Promise<void> {
  const developer = await asDeveloper(app)
  const [payment] = await shop.paymentsOf(licenseId)
  const refund = await developer('POST', `${shop.base}/payments/${payment?.id}/refunds.json`, body)
  assert.ok(refund.status < 300, refund.text)
}

test('a coupon that was used stays used and counted when its payment is given back, whole or in part', async () => {
  const [id, other] = [
    await couponOf('TWICE', { redemptions_limit: 2, is_one_per_user: true }),
    await couponOf('OTHER', { redemptions_limit: 2 }),
  ]
  const [whole, part] = [await shop.buy({ coupon: 'TWICE' }), await shop.buy({ coupon: 'TWICE' })]
  await giveBack(whole.id)
  await giveBack(part.id, { amount: 1 })
  assert.deepEqual([await redemptionsOf(id), await redemptionsOf(other)], [2, 0])
  assert.equal((await shop.licenseOf(whole.id)).is_cancelled, true)
  const { json: late } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, coupon: 'TWICE' })
  assert.deepEqual([late.discount.applies, late.discount.reason], [false, 'coupon_used_up'])
  await app.call('PUT', `${shop.base}/coupons/${id}.json`, { body: { redemptions_limit: 9 } })
  app.ctx.clock.advance(2 * MINUTE)
  const again = { ...shop.sandbox(), plan_id: shop.plans.basic, coupon: 'TWICE', country_code: 'us' }
  const { json: session } = await shop.open({ ...again, user_email: whole.email, user_firstname: 'Grace' })
  const paid = await shop.pay(session.id)
  assert.equal(paid.json.error?.code, 'coupon_not_applicable', paid.text)
  assert.equal(await redemptionsOf(id), 2)
})

test('a coupon of what was charged and could buy nothing is there again', async () => {
  const id = await couponOf('ONCE', { redemptions_limit: 1 })
  const { id: licenseId } = await shop.buy()
  const { json: session } = await shop.openFor(licenseId, { plan_id: shop.plans.pro, coupon: 'ONCE' })
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  assert.equal(await redemptionsOf(id), 1)
  await app.call('DELETE', `${shop.base}/licenses/${licenseId}.json`)
  assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
  assert.equal(await redemptionsOf(id), 0)
  await shop.buy({ coupon: 'ONCE' })
  assert.equal(await redemptionsOf(id), 1)
})
