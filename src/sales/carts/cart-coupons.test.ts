import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { createSeller } from '../../../test/factories.ts'
import { expectOk } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { recoverCarts } from './recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
let parent: { readonly id: number; readonly token: string }
before(async () => {
  app = await startTestApp('cart_coupons')
  parent = app.seller.other
  await app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ parent_plugin_id: parent.id })
      .where('id', '=', app.seller.product.id)
      .execute(),
  )
  const id = await couponOf(app.seller.product, { code: 'COMEBACK', discount: 15 })
  const special = `/products/${app.seller.product.id}/coupons/${id}/special/cart_recovery.json`
  expectOk(await app.call('PUT', special))
})
after(() => app.close())

async function couponOf({ id, token }: { id: number; token: string }, body: object): Promise<number> {
  app.ctx.clock.set(START)
  const made = await app.call('POST', `/products/${id}/coupons.json`, {
    token,
    body: { discount_type: 'percentage', has_addons_discount: true, ...body },
  })
  assert.equal(made.status, 201, made.text)
  return Number(made.json.id)
}

let people = 0

/** The cart of a checkout of the add-on in which a code was typed. */
async function left(coupon: string) {
  app.ctx.clock.set(START)
  const email = `addon${++people}@example.com`
  const { pricingId } = await offerFor(app, 5)
  const body = { product_id: app.seller.product.id, pricing_id: pricingId, user_email: email, coupon }
  const opened = await app.call('POST', '/checkout/sessions.json', { token: null, body })
  assert.ok(opened.json.id, opened.text)
  const named = { user_firstname: 'Ann', country_code: 'us' }
  const path = `/checkout/sessions/${opened.json.id}.json`
  expectOk(await app.call('PUT', path, { token: null, body: named }))
  const carts = app.ctx.db.selectFrom('carts').selectAll().where('email', '=', email)
  return { email, cart: await carts.executeTakeFirstOrThrow() }
}

const cartOf = async (id: number, body?: object) =>
  app.call(body ? 'PUT' : 'GET', `/products/${app.seller.product.id}/carts/${id}.json?enriched=true`, {
    ...(body && { body }),
  })

/** The coupon of the checkout to which the last mail about a cart leads. */
async function mailedCoupon(email: string): Promise<readonly unknown[]> {
  for (const at of [HOUR, DAY, 4 * DAY]) {
    app.ctx.clock.set(START + at)
    await app.write(({ db }) =>
      db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', 'recover-carts').execute(),
    )
    await runDue(app.ctx, [recoverCarts])
  }
  const mails = (await mailsTo(app, email)).filter(({ kind }) => kind === 'cart_recovery')
  assert.equal(mails.length, 3)
  const [, cart_token = ''] = /cart_token=([\w.-]+)/.exec(mails[2]?.text ?? '') ?? []
  const body = { product_id: app.seller.product.id, cart_token }
  const { json, text } = await app.call('POST', '/checkout/sessions.json', { token: null, body })
  assert.ok(json.discount, text)
  return [json.discount.code, json.quote.gross]
}

test('the coupon of the parent that was typed for an add-on stays in its cart, and the mail brings no smaller one', async () => {
  const larger = await couponOf(parent, { code: 'FAMILY40', discount: 40 })
  await couponOf(parent, { code: 'FAMILY5', discount: 5 })
  const [first, second] = [await left('FAMILY40'), await left('FAMILY5')]
  assert.equal(first.cart.coupon_id, larger)
  assert.deepEqual(await mailedCoupon(first.email), ['FAMILY40', 29.99])
  assert.deepEqual(await mailedCoupon(second.email), [null, 42.49])
})

test('a seller changes the offer of a cart with the coupon of the parent, and names that coupon', async () => {
  const coupon = await couponOf(parent, { code: 'FAMILY30', discount: 30 })
  const { cart } = await left('FAMILY30')
  const offered = async () => {
    const { json } = await cartOf(cart.id)
    return [json.coupon_id, json.coupon_code, json.gross]
  }
  const change = async (body: object) => {
    const { json, status } = await cartOf(cart.id, body)
    return json.error?.code ?? status
  }
  const asTyped = [String(coupon), 'FAMILY30', 34.99]
  assert.equal(await change({ billing_cycle: 12 }), 200)
  assert.deepEqual(await offered(), asTyped)
  assert.equal(await change({ coupon_code: null }), 200)
  assert.deepEqual(await offered(), [null, null, 49.99])
  assert.equal(await change({ coupon_id: coupon, coupon_code: 'FAMILY30' }), 200)
  assert.deepEqual(await offered(), asTyped)
})

test('the coupon of a product that is no parent is none of an add-on', async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const foreign = await couponOf(stranger.product, { code: 'FAMILY30', discount: 60 })
  const { cart } = await left('FAMILY30')
  const { json } = await cartOf(cart.id, { coupon_id: foreign, coupon_code: 'FAMILY30' })
  assert.equal(json.error.code, 'coupon_not_found')
})
