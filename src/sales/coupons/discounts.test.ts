import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { proofOf, sandboxProof } from '../../../test/checkouts.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { payCheckout } from '../../../test/reports.ts'
import type { CouponRefusal } from './evaluate.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('coupon_discounts')
})
after(() => app.close())

const call = (method: Method, path: string, options: { body?: object } = {}) =>
  app.call(method, `/products/${app.seller.product.id}${path}`, options)
const half = (more: object = {}) => ({ code: 'HALF', discount: 50, discount_type: 'percentage', ...more })

async function create(more: object = {}) {
  const { status, json, text } = await call('POST', '/coupons.json', { body: half(more) })
  assert.equal(status, 201, text)
  return json as Record<string, unknown> & { id: string }
}

const rowsOf = () => app.ctx.db.selectFrom('coupons').selectAll().orderBy('id').execute()
const detailsOf = (reply: { json: { error: { details: { field: string; message: string }[] } } }) =>
  Object.fromEntries(reply.json.error.details.map(({ field, message }) => [field, message]))

test('a fixed amount is whole dollars, in other currencies as many unless they have their own', async () => {
  const stored = async (id: string) => (await rowsOf()).find((row) => row.id === Number(id))
  const coupon = await create({ discount: 20, discount_type: 'dollar', discounts: { eur: 18 } })
  assert.equal(coupon['discount'], 20)
  const row = await stored(coupon.id)
  assert.deepEqual([row?.discount, row?.discount_eur, row?.discount_gbp], [2000, 1800, null])
  const put = async (body: object) => (await call('PUT', `/coupons/${coupon.id}.json`, { body })).json
  assert.equal((await put({ discounts: { usd: 25, gbp: 16 } })).discount, 25)
  const changed = await stored(coupon.id)
  assert.deepEqual([changed?.discount, changed?.discount_eur, changed?.discount_gbp], [2500, 1800, 1600])
  assert.equal((await put({ discount_type: 'percentage' })).discount, 25)
  assert.equal((await stored(coupon.id))?.discount_eur, null)
})

test('amounts by currency are for dollars, and usd is the discount', async () => {
  const percentage = await call('POST', '/coupons.json', { body: half({ discounts: { eur: 5 } }) })
  assert.deepEqual(detailsOf(percentage), { discounts: 'are for discount_type dollar' })
  const twoAmounts = await call('POST', '/coupons.json', {
    body: half({ discount_type: 'dollar', discounts: { usd: 49 } }),
  })
  assert.deepEqual(detailsOf(twoAmounts), { 'discounts.usd': 'must be the same as discount' })
})

/** A checkout of a year in another plan each time, for 99.99 or `price` (minor units), with a coupon. */
async function open(coupon: string, { currency = 'gbp', price = 9_999, ...more }: Wanted = {}) {
  const { id: productId } = app.seller.product
  const { pricingId } = await offerFor(app, 1)
  await app.write(({ db }) =>
    db.updateTable('pricing').set({ currency, annual_price: price }).where('id', '=', pricingId).execute(),
  )
  const { status, json, text } = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: {
      ...(await sandboxProof(app.ctx, productId)),
      pricing_id: pricingId,
      country_code: 'US',
      cart: false,
      coupon,
      ...more,
    },
  })
  assert.equal(status, 201, text)
  return json
}

interface Wanted {
  readonly currency?: 'gbp' | 'eur'
  /** Minor units. */
  readonly price?: number
  readonly user_token?: string
}

/** What the coupon takes off; the code must be taken. */
async function amountOff(code: string, wanted: Wanted = {}): Promise<number> {
  const { discount, quote } = await open(code, wanted)
  assert.deepEqual([discount.applies, discount.reason], [true, null])
  return quote.lines.find(({ kind }: { readonly kind: string }) => kind === 'coupon').amount
}

test('a code takes off what its coupon says, whatever the case it is typed in', async () => {
  await create({ code: 'Fünfzig', discount: 50, discount_type: 'dollar', discounts: { gbp: 40 } })
  assert.equal(await amountOff(' FU\u0308NFZIG '), -40)
  assert.equal(await amountOff('fünfzig', { currency: 'eur', price: 4_500 }), -45)
})

test('of two coupons with one code where only the second applies, the second is taken', async () => {
  await create({ code: 'PAIR', billing_cycles: '1' })
  await create({ code: 'pair', billing_cycles: '12', discount: 30 })
  assert.equal(await amountOff('PAIR'), -30)
})

test('a code that takes nothing off is told with its reason', async () => {
  await create({ code: 'USED', is_one_per_user: true })
  const { id } = await create({ code: 'USED-UP', redemptions_limit: 1 })
  await app.write(({ db }) =>
    db.updateTable('coupons').set({ sandbox_redemptions: 1 }).where('id', '=', Number(id)).execute(),
  )
  await create({ code: 'INACTIVE', is_active: false })
  await create({ code: 'LATER', start_date: '2026-02-01' })
  await create({ code: 'OVER', start_date: '2025-01-01', end_date: '2025-12-31' })
  await create({ code: 'OTHERS', user_type: 'new' })
  const email = 'buyer@example.com'
  await userOf(app, email)
  const asBuyer = () => proofOf(app, email)
  const bought = await payCheckout(app, (await open('USED', await asBuyer())).id, 'test_succeeds')
  assert.equal(bought.json.state, 'paid', bought.text)
  const refused: Readonly<Record<string, CouponRefusal>> = {
    NOBODYS: 'coupon_not_found',
    INACTIVE: 'coupon_inactive',
    LATER: 'coupon_not_started',
    OVER: 'coupon_expired',
    'USED-UP': 'coupon_used_up',
    OTHERS: 'coupon_not_applicable',
    USED: 'coupon_already_used',
  }
  for (const [code, reason] of Object.entries(refused)) {
    const { discount } = await open(code, await asBuyer())
    assert.deepEqual(discount, { code, applies: false, reason })
  }
})
