import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { trialShop, type TrialShop } from '../../../test/trials.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('unproven_trial')
  shop = await trialShop(app)
  for (const body of [
    { code: 'ONCE', discount: 50, is_one_per_user: true },
    { code: 'CUSTOMERS', discount: 50, user_type: 'customer' },
  ]) {
    const reply = await app.call('POST', `${shop.base}/coupons.json`, {
      body: { ...body, discount_type: 'percentage' },
    })
    assert.equal(reply.status, 201, reply.text)
  }
})
after(() => app.close())

/** What becomes of a purchase of who has proven to have an address: `paid`, or the code of its refusal. */
async function bought(email: string, coupon: string): Promise<string> {
  const body = { country_code: 'US', plan_id: shop.free.planId, coupon }
  const { json } = await shop.open({ ...body, ...(await proofOf(app, email)) })
  const { json: paid } = await shop.pay(json.id, 'test_succeeds')
  return paid.state ?? paid.error.code
}

test('a trial with a method of payment that a stranger began for an address uses none of its owner’s coupons up', async () => {
  const { email } = await shop.tried({ coupon: 'ONCE' })
  assert.equal(await bought(email, 'CUSTOMERS'), 'coupon_not_applicable')
  assert.equal(await bought(email, 'ONCE'), 'paid')
  assert.equal(await bought(email, 'ONCE'), 'coupon_already_used')
})

test('once such a trial is charged, its coupon is used', async () => {
  const { email } = await shop.tried({ coupon: 'ONCE' })
  const declined = await shop.tried({ coupon: 'ONCE' }, 'test_renewal_declined')
  await advanceTo(app, shop.inDays(15))
  assert.equal(await bought(email, 'ONCE'), 'coupon_already_used')
  assert.equal(await bought(declined.email, 'ONCE'), 'paid')
})

test('a license of such a trial that is bought by its key has used the coupon of the trial', async () => {
  const { email, license_key } = await shop.tried({ coupon: 'ONCE' })
  const { json } = await shop.open({ license_key, country_code: 'US' })
  const paid = await shop.pay(json.id, 'test_succeeds')
  assert.equal(paid.json.state, 'paid', paid.text)
  assert.equal(await bought(email, 'ONCE'), 'coupon_already_used')
})

test('who has proven to be the buyer uses the coupon up with the trial', async () => {
  const { email } = await shop.tried()
  const body = { country_code: 'US', plan_id: shop.paid.planId, trial: 'paid', coupon: 'ONCE' }
  const { json } = await shop.open({ ...body, ...(await proofOf(app, email)) })
  assert.equal((await shop.pay(json.id, 'test_succeeds')).json.state, 'paid')
  assert.equal(await bought(email, 'ONCE'), 'coupon_already_used')
})
