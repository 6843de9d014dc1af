import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('unproven_gift')
  shop = await changeShop(app)
  for (const [code, more] of Object.entries(COUPONS)) {
    const body = { code, discount_type: 'percentage', ...more }
    assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  }
})
after(() => app.close())

const COUPONS = {
  GIFT: { discount: 100, user_type: 'new', is_one_per_user: true },
  NEWCOMERS: { discount: 10, user_type: 'new' },
  ONCE: { discount: 10, is_one_per_user: true },
  CUSTOMERS: { discount: 10, user_type: 'customer' },
}

let people = 0
const newAddress = () => `given${++people}@example.com`

async function openFor(email: string, coupon: string, more: object = {}): Promise<string> {
  const body = { user_email: email, country_code: 'us', plan_id: shop.plans.basic, billing_cycle: 'annual' }
  const { json, text } = await shop.open({ ...shop.sandbox(), ...body, cart: false, coupon, ...more })
  assert.ok(json.id, text)
  return json.id
}

/** What becomes of a purchase: `paid`, or the code of its refusal. */
async function bought(email: string, coupon: string, more: object = {}): Promise<string> {
  const { json } = await shop.pay(await openFor(email, coupon, more), coupon === 'GIFT' ? null : undefined)
  return json.state ?? json.error.code
}

async function proofOf(email: string) {
  const { json } = await app.call('GET', `${shop.base}/users.json?email=${encodeURIComponent(email)}`)
  const tokens = `${shop.base}/users/${json.users[0].id}/tokens/checkout.json`
  return { user_token: (await app.call('POST', tokens)).json.token }
}

const redeemed = async (code: string) =>
  (
    await app.ctx.db
      .selectFrom('coupons')
      .select('redemptions')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).redemptions

test('what a stranger got for nothing for an address makes its owner no customer, and uses none of its coupons up', async () => {
  const email = newAddress()
  assert.equal(await bought(email, 'GIFT'), 'paid')
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'CUSTOMERS'), 'coupon_not_applicable')
  const before = await redeemed('GIFT')
  assert.equal(await bought(email, 'GIFT', await proofOf(email)), 'paid', 'the owner itself, with a proof')
  assert.equal(await redeemed('GIFT'), before + 1)
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'GIFT', await proofOf(email)), 'coupon_not_applicable')
  const other = newAddress()
  assert.equal(await bought(other, 'GIFT'), 'paid')
  assert.equal(
    await bought(other, 'NEWCOMERS', { billing_cycle: 'monthly' }),
    'paid',
    'who pays, typed its address',
  )
})

test('once the key that was mailed is on a site, the purchase counts as its owner’s', async () => {
  const email = newAddress()
  assert.equal(await bought(email, 'GIFT'), 'paid')
  const { json } = await app.call('GET', `${shop.base}/licenses.json?count=1`)
  await clientsOf(app).active(json.licenses[0])
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'NEWCOMERS'), 'coupon_not_applicable')
  assert.equal(await bought(email, 'GIFT', await proofOf(email)), 'coupon_not_applicable')
  assert.equal(await bought(email, 'CUSTOMERS'), 'paid')
})

test('eight strangers at once, and one later, get a gift of new buyers for one address once', async () => {
  const email = newAddress()
  const ids = await Promise.all(Array.from({ length: 8 }, () => openFor(email, 'GIFT')))
  const replies = await Promise.all(ids.map((id) => shop.pay(id, null)))
  assert.equal(replies.filter(({ json }) => json.state === 'paid').length, 1)
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'GIFT'), 'coupon_not_applicable')
})

test('of purchases with a coupon that is one per user, begun at once by who pays, one has it', async () => {
  const email = newAddress()
  assert.equal(await bought(email, 'GIFT'), 'paid')
  app.ctx.clock.advance(2 * MINUTE)
  const ids = await Promise.all(Array.from({ length: 6 }, () => openFor(email, 'ONCE')))
  const replies = await Promise.all(ids.map((id) => shop.pay(id)))
  assert.equal(replies.filter(({ json }) => json.state === 'paid').length, 1)
})
