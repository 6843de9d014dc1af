import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { boughtBy, payCheckout, reportOfTest, send } from '../../../test/reports.ts'
import { systemScope } from '../../access/scope.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('prices_and_coupons')
  developer = await asDeveloper(app)
})
after(() => app.close())

let people = 0
interface Wanted {
  readonly pricingId: number
  readonly productId?: number
  readonly email?: string
  readonly coupon?: string
}
const open = ({
  productId = app.seller.product.id,
  email = `buyer${++people}@example.com`,
  ...more
}: Wanted) => {
  const scope = systemScope({ developerId: app.seller.developer.id, productId })
  return app.write((tx) => openSandboxCheckout(tx, scope, { email, ...more }))
}
/** How often a coupon was redeemed, and how often it was counted. */
async function redeemedAndCounted(couponId: number) {
  const { db } = app.ctx
  const rows = db.selectFrom('coupon_redemptions').select('id').where('coupon_id', '=', couponId)
  return [(await rows.execute()).length, (await redemptionsOf(app, couponId)).sandbox]
}
const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

test('a price for which somebody pays does not move to another plan; what was only looked at is sold no more', async () => {
  const { planId: other } = await offerFor(app, 25)
  const base = `/products/${app.seller.product.id}/plans`
  const move = (offer: { readonly planId: number; readonly pricingId: number }) =>
    developer('PUT', `${base}/${offer.planId}/pricing/${offer.pricingId}.json`, { plan_id: other })
  const [held, free, late] = [await offerFor(app, 1), await offerFor(app, 1), await offerFor(app, 2)]
  const paying = await open(held)
  assert.equal((await payCheckout(app, paying, 'test_needs_confirmation')).json.state, 'pending')
  assert.deepEqual(codeOf(await move(held)), [400, 'pricing_in_use'])
  assert.equal((await payCheckout(app, paying, 'test_needs_confirmation')).json.state, 'paid')

  const looking = await open(free)
  assert.equal((await move(free)).status, 200)
  assert.deepEqual(codeOf(await payCheckout(app, looking, 'test_succeeds')), [404, 'not_found'])

  const moved = await open(late)
  await app.ctx.database.transaction((db) =>
    db.updateTable('pricing').set({ plan_id: other }).where('id', '=', late.pricingId).execute(),
  )
  assert.deepEqual(codeOf(await payCheckout(app, moved, 'test_succeeds')), [404, 'not_found'])
})

test('what was charged is given its license, wherever its price has moved meanwhile', async () => {
  const [offer, { planId: other }] = [await offerFor(app, 1), await offerFor(app, 25)]
  const token = await open(offer)
  assert.equal((await payCheckout(app, token, 'test_needs_confirmation')).json.state, 'pending')
  await app.ctx.database.transaction((db) =>
    db.updateTable('pricing').set({ plan_id: other }).where('id', '=', offer.pricingId).execute(),
  )
  const { json, text } = await payCheckout(app, token, 'test_needs_confirmation')
  assert.equal(json.state, 'paid', text)
  const license = await app.ctx.db
    .selectFrom('licenses')
    .select('plan_id')
    .where('id', '=', Number(json.license_id))
    .executeTakeFirstOrThrow()
  assert.equal(license.plan_id, offer.planId)
})

test('a coupon of a store that is one per user is used once in all of its products', async () => {
  const { product, other } = app.seller
  const { db, database } = app.ctx
  const coupon = { code: 'ONCE', discount: 10, discount_type: 'percentage', is_one_per_user: true }
  const { json: made } = await app.call('POST', `/products/${product.id}/coupons.json`, { body: coupon })
  const id = Number(made.id)
  const { store_id } = await db
    .selectFrom('products')
    .select('store_id')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow()
  await database.transaction(async (tx) => {
    await tx.updateTable('coupons').set({ product_id: null, store_id }).where('id', '=', id).execute()
    await tx.updateTable('products').set({ store_id }).where('id', '=', product.id).execute()
  })
  const email = 'once@example.com'
  const [here, there] = [await offerFor(app, 1), await offerFor(app, 1, { product: other })]
  const elsewhere = await open({ ...there, productId: other.id, email, coupon: 'ONCE' })
  const first = await payCheckout(app, elsewhere, 'test_succeeds')
  assert.equal(first.json.state, 'paid', first.text)
  const second = await open({ ...here, email, coupon: 'ONCE' })
  assert.deepEqual(codeOf(await payCheckout(app, second, 'test_succeeds')), [400, 'coupon_not_applicable'])
  assert.deepEqual(await redeemedAndCounted(id), [1, 1])
})

test('a coupon stays with the purchase that waits for its bank; paid after all, it is not counted twice', async () => {
  const coupon = { code: 'LATE', discount: 10, discount_type: 'percentage', is_one_per_user: true }
  const { json: made } = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, {
    body: coupon,
  })
  const email = 'late@example.com'
  const [slow, quick] = [await offerFor(app, 1), await offerFor(app, 1)]
  const waiting = await open({ ...slow, email, coupon: 'LATE' })
  assert.equal((await payCheckout(app, waiting, 'test_needs_confirmation')).json.state, 'pending')
  app.ctx.clock.advance(61 * MINUTE)
  const other = await open({ ...quick, email, coupon: 'LATE' })
  assert.deepEqual(codeOf(await payCheckout(app, other, 'test_succeeds')), [400, 'coupon_not_applicable'])
  assert.equal((await payCheckout(app, waiting, 'test_declined')).status, 400)
  assert.equal((await payCheckout(app, other, 'test_succeeds')).json.state, 'paid')
  const { external_id: chargeId } = await app.ctx.db
    .selectFrom('charges')
    .select('external_id')
    .where('state', '=', 'declined')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const charge = { outcome: 'paid', externalId: chargeId ?? '', fee: 30, method: null } as const
  const at = app.ctx.clock.real()
  const report = reportOfTest(app, { type: 'charge', id: 'late', at, chargeId: chargeId ?? '', charge })
  assert.equal((await send(app, 'test', report)).status, 200)
  assert.equal((await payCheckout(app, waiting, 'test_succeeds')).json.state, 'paid')
  assert.deepEqual(await redeemedAndCounted(Number(made.id)), [1, 1])
})

test('a coupon for the migrated is for a user that was brought along, before any payment', async () => {
  const offer = await offerFor(app, 1)
  const users = `/products/${app.seller.product.id}/users.json`
  const email = 'moved@example.com'
  const body = { email, name: 'Mo Ved', is_migration: true, is_verified: true, source: 'edd' }
  assert.equal((await app.call('POST', users, { body })).status, 200)
  await app.call('POST', users, { body: { email: 'native@example.com', name: 'Na Tive', is_verified: true } })
  const code = 'WELCOMEBACK'
  const coupon = { code, discount: 50, discount_type: 'percentage', user_type: 'migrated' }
  await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body: coupon })
  const total = async (who: string) => {
    const token = await open({ ...offer, email: who, coupon: code })
    const reply = await payCheckout(app, token, 'test_succeeds')
    return reply.status === 200 ? reply.json.purchase.initial_amount : reply.json.error.code
  }
  assert.equal(await total('native@example.com'), 'coupon_not_applicable')
  assert.equal(typeof (await total(email)), 'number')
})

test('a product that takes wallets only is not paid by card, and nothing is kept of the attempt', async () => {
  const offer = await offerFor(app, 1)
  const path = `/products/${app.seller.product.id}.json`
  const accept = async (accepted: number) =>
    assert.equal((await app.call('PUT', path, { body: { accepted_payments: accepted } })).status, 200)
  const token = await open(offer)
  await accept(1)
  assert.deepEqual(codeOf(await payCheckout(app, token, 'test_succeeds')), [400, 'gateway_not_configured'])
  await accept(2)
  assert.equal((await payCheckout(app, token, 'test_succeeds')).json.state, 'paid')
  await accept(0)
})

test('the gateway that is chosen is charged, and one that does not take the payment is refused', async () => {
  const [first] = app.ctx.gateways
  assert.ok(first)
  Object.assign(app.ctx, { gateways: [...app.ctx.gateways, { ...first, code: 'second' }] })
  const offer = await offerFor(app, 1)
  const pay = async (token: string, gateway: string) => {
    const body = { payment_token: 'test_succeeds', gateway }
    return app.call('POST', `/checkout/sessions/${token}/pay.json`, { token: null, body })
  }
  const token = await open({ ...offer, email: 'chooses@example.com' })
  assert.deepEqual(codeOf(await pay(token, 'stripe')), [400, 'gateway_not_configured'])
  const { payment } = await boughtBy(app, await pay(token, 'second'))
  assert.equal(payment.gateway, 'second')
})
