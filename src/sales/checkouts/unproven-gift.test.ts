import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { offerFor } from '../../../test/licenses.ts'
import { MINUTE } from '../../lib/time.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'

let app: TestApp
let shop: ChangeShop
/** How often a license was noted as its owner's, or was to be. */
let notes = 0
before(async () => {
  app = await startTestApp('unproven_gift', {
    onStatement: (sql) => void (notes += sql.includes('set "is_unproven"') ? 1 : 0),
  })
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

const redeemed = async (code: string) =>
  (
    await app.ctx.db
      .selectFrom('coupons')
      .select('sandbox_redemptions')
      .where('code', '=', code)
      .where('product_id', '=', app.seller.product.id)
      .executeTakeFirstOrThrow()
  ).sandbox_redemptions

test('what a stranger got for nothing for an address makes its owner no customer, and uses none of its coupons up', async () => {
  const email = newAddress()
  assert.equal(await bought(email, 'GIFT'), 'paid')
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'CUSTOMERS'), 'coupon_not_applicable')
  const before = await redeemed('GIFT')
  assert.equal(
    await bought(email, 'GIFT', await proofOf(app, email)),
    'paid',
    'the owner itself, with a proof',
  )
  assert.equal(await redeemed('GIFT'), before, 'in the place of the gift, which ends')
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'GIFT', await proofOf(app, email)), 'coupon_not_applicable')
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
  assert.equal(await bought(email, 'GIFT', await proofOf(app, email)), 'coupon_not_applicable')
  assert.equal(await bought(email, 'CUSTOMERS'), 'paid')
})

test('the key of a bundle that was got for nothing, on a site of a member, makes the bundle its owner’s, once', async () => {
  const as = await asDeveloper(app)
  const made = { title: 'All of it', slug: 'all-of-it', type: 'plugin', is_bundle: true }
  const { json: bundle } = await as('POST', '/plugins.json', made)
  const members = String(app.seller.product.id)
  const base = `/products/${bundle.id}`
  assert.equal((await as('PUT', `${base}/bundle/members.json`, { members })).status, 200)
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: Number(bundle.id), name: 'test', expiresAt: null }),
  )
  const { planId } = await offerFor(app, 3, { product: { id: Number(bundle.id) } })
  for (const code of ['GIFT', 'NEWCOMERS'] as const) {
    const body = { code, discount_type: 'percentage', ...COUPONS[code] }
    assert.equal((await as('POST', `${base}/coupons.json`, body)).status, 201)
  }
  const email = newAddress()
  const buy = async (coupon: string, payment_token?: string) => {
    const body = { product_id: bundle.id, user_email: email, country_code: 'us', plan_id: planId, coupon }
    const { json, text } = await shop.open({ ...body, cart: false })
    assert.ok(json.id, text)
    const { json: paid } = await shop.pay(json.id, payment_token ?? null)
    return paid.state ?? paid.error.code
  }
  assert.equal(await buy('GIFT'), 'paid')
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await buy('NEWCOMERS', 'live'), 'gateway_not_configured', 'its owner is still new')
  const { json } = await app.call('GET', `${base}/licenses.json`, { token })
  const before = notes
  await clientsOf(app).active(json.licenses[0])
  assert.equal(await buy('NEWCOMERS', 'live'), 'coupon_not_applicable')
  await clientsOf(app).active(json.licenses[0])
  assert.equal(notes, before + 1, 'a site more asks the database for nothing that is known')
})

test('a gift whose license is erased gives its coupon back, and is no purchase of its owner', async () => {
  const email = newAddress()
  assert.equal(await bought(email, 'GIFT'), 'paid')
  const before = await redeemed('GIFT')
  const { json } = await app.call('GET', `${shop.base}/licenses.json?count=1`)
  const path = `${shop.base}/licenses/${json.licenses[0].id}.json?delete=true`
  assert.equal((await app.call('DELETE', path)).status, 204)
  assert.equal(await redeemed('GIFT'), before - 1)
  app.ctx.clock.advance(2 * MINUTE)
  assert.equal(await bought(email, 'CUSTOMERS'), 'coupon_not_applicable')
  assert.equal(await bought(email, 'GIFT', await proofOf(app, email)), 'paid')
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
