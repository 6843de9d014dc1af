import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { sandboxProof } from '../../../test/checkouts.ts'
import { createSeller } from '../../../test/factories.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { payCheckout } from '../../../test/reports.ts'
import { DAY } from '../../lib/time.ts'
import { takeLivePayments } from '../../../test/subscriptions.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('coupon_places')
  takeLivePayments(app)
  const codes = { NEWHERE: 'new', KNOWN: 'customer', SUBSCRIBED: 'current' }
  for (const [code, user_type] of Object.entries(codes)) {
    const body = { code, discount: 10, discount_type: 'percentage', user_type }
    for (const { id, token } of [app.seller.product, app.seller.other]) {
      const made = await app.call('POST', `/products/${id}/coupons.json`, { token, body })
      assert.equal(made.status, 201, made.text)
    }
  }
})
after(() => app.close())

interface Wanted {
  readonly productId?: number
  readonly pricingId: number
  readonly email: string
  readonly coupon?: string
  readonly isLive?: boolean
}

/** Opens a checkout, of the sandbox unless it is live, and pays it; what is said then. */
async function pay(
  { productId = app.seller.product.id, pricingId, email, coupon, isLive = false }: Wanted,
  method = 'test_succeeds',
) {
  const body = {
    ...(isLive ? { product_id: productId } : await sandboxProof(app.ctx, productId)),
    pricing_id: pricingId,
    user_email: email,
    user_firstname: 'Ada',
    country_code: 'US',
    ...(coupon !== undefined && { coupon }),
  }
  const { json, text } = await app.call('POST', '/checkout/sessions.json', { token: null, body })
  assert.ok(json.id, text)
  const paid = await payCheckout(app, json.id, method)
  return paid.json.state ?? paid.json.error.code
}

test('what was bought in the sandbox is bought in production at once, and not again in the sandbox', async () => {
  const { pricingId } = await offerFor(app, 1)
  const email = 'both@example.com'
  assert.equal(await pay({ pricingId, email }), 'paid')
  assert.equal(await pay({ pricingId, email }), 'already_purchased')
  assert.equal(await pay({ pricingId, email, isLive: true }), 'paid')
})

test('a coupon for new buyers that a purchase of the sandbox holds is free in production, and not in the sandbox', async () => {
  const [slow, quick] = [await offerFor(app, 1), await offerFor(app, 1)]
  const wanted = { email: 'new@example.com', coupon: 'NEWHERE' }
  assert.equal(await pay({ ...slow, ...wanted }, 'test_needs_confirmation'), 'pending')
  assert.equal(await pay({ ...quick, ...wanted }), 'coupon_not_applicable')
  assert.equal(await pay({ ...quick, ...wanted, isLive: true }), 'paid')
})

test('a coupon for new buyers that a purchase of one product holds is free in another', async () => {
  const { other } = app.seller
  const [here, there] = [await offerFor(app, 1), await offerFor(app, 1, { product: other })]
  const wanted = { email: 'twice.new@example.com', coupon: 'NEWHERE' }
  assert.equal(await pay({ ...here, ...wanted }, 'test_needs_confirmation'), 'pending')
  assert.equal(await pay({ ...there, ...wanted, productId: other.id }), 'paid')
})

test('coupons ask what was bought of their own product and environment, and what is subscribed to still', async () => {
  const { other } = app.seller
  const email = 'elsewhere@example.com'
  const there = { ...(await offerFor(app, 1, { product: other })), productId: other.id }
  assert.equal(await pay({ ...there, email }), 'paid')
  const here = async (coupon: string, isLive: boolean) =>
    pay({ ...(await offerFor(app, 1)), email, coupon, isLive })
  for (const isLive of [false, true]) {
    assert.equal(await here('KNOWN', isLive), 'coupon_not_applicable')
    assert.equal(await here('SUBSCRIBED', isLive), 'coupon_not_applicable')
    assert.equal(await here('NEWHERE', isLive), 'paid')
    assert.equal(await here('NEWHERE', isLive), 'coupon_not_applicable')
    assert.equal(await here('SUBSCRIBED', isLive), 'paid')
  }
  for (const { id } of await app.ctx.db.selectFrom('subscriptions').select('id').execute()) {
    const ended = await app.call('DELETE', `/products/${app.seller.product.id}/subscriptions/${id}.json`)
    assert.ok([200, 404].includes(ended.status), ended.text)
  }
  assert.equal(await here('SUBSCRIBED', true), 'coupon_not_applicable')
  assert.equal(await here('KNOWN', true), 'paid')
})

test('coupons ask what was bought of their own seller, of whom another one knows the address too', async () => {
  const email = 'shared@example.com'
  await userOf(app, email)
  const seller = await app.write((tx) => createSeller(tx, 'second@example.com'))
  const { id: productId, token } = seller.product
  const body = { code: 'NEWHERE', discount: 10, discount_type: 'percentage', user_type: 'new' }
  const made = await app.call('POST', `/products/${productId}/coupons.json`, { token, body })
  assert.equal(made.status, 201, made.text)
  const offer = () => offerFor({ ...app, seller }, 1)
  assert.equal(await pay({ ...(await offer()), productId, email }), 'paid')
  const again = { ...(await offer()), productId, email, coupon: 'NEWHERE' }
  assert.equal(await pay(again), 'coupon_not_applicable')
})

test('what was bought or begun under a clock that was ahead keeps nobody from it when that comes back', async () => {
  const { clock } = app.ctx
  const { pricingId } = await offerFor(app, 1)
  const [bought, begun] = ['bought@ahead.example', 'begun@ahead.example']
  const now = clock.real()
  clock.advance(400 * DAY)
  assert.equal(await pay({ pricingId, email: bought }), 'paid')
  assert.equal(
    await pay({ pricingId, email: begun, coupon: 'NEWHERE' }, 'test_needs_confirmation'),
    'pending',
  )
  clock.set(now)
  const again = () => pay({ pricingId, email: bought })
  const said = await Promise.all(Array.from({ length: 5 }, again))
  assert.deepEqual(said.toSorted(), [...Array<string>(4).fill('already_purchased'), 'paid'])
  const other = await offerFor(app, 1)
  assert.equal(await pay({ pricingId: other.pricingId, email: begun, coupon: 'NEWHERE' }), 'paid')
})
