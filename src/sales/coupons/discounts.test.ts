import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Method, type TestApp } from '../../../test/app.ts'
import { systemScope } from '../../access/scope.ts'
import { ApiError } from '../../lib/errors.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { CouponRefusal, Purchase } from './evaluate.ts'
import { applyCode } from './service.ts'

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

const bought = (more: Partial<Purchase> = {}): Purchase => ({
  now: '2026-01-31 10:00:00' as UtcTime,
  environment: 0,
  productId: app.seller.product.id,
  isAddon: false,
  planId: 1,
  quota: 1,
  billingCycle: 12,
  currency: 'gbp',
  price: 9_999,
  buyer: { hasBought: false, hasSubscription: false, isMigrated: false, redeemed: new Set() },
  ...more,
})

const apply = (code: string, more: Partial<Purchase> = {}) => {
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  return applyCode(app.ctx, scope, code, bought(more))
}

test('a code takes off what its coupon says, whatever the case it is typed in', async () => {
  await create({ code: 'Fünfzig', discount: 50, discount_type: 'dollar', discounts: { gbp: 40 } })
  assert.equal((await apply(' FU\u0308NFZIG ')).amountOff, 4_000)
  assert.equal((await apply('fünfzig', { currency: 'eur', price: 4_500 })).amountOff, 4_500)
})

test('of two coupons with one code where only the second applies, the second is taken', async () => {
  await create({ code: 'PAIR', billing_cycles: '1' })
  const second = await create({ code: 'pair', billing_cycles: '12', discount: 30 })
  const { coupon, amountOff } = await apply('PAIR')
  assert.deepEqual([String(coupon.id), amountOff], [second.id, 3_000])
})

test('a code that takes nothing off is 400 with its reason', async () => {
  const used = await create({ code: 'USED', is_one_per_user: true })
  const { id } = await create({ code: 'USED-UP', redemptions_limit: 1 })
  await app.write(({ db }) =>
    db.updateTable('coupons').set({ redemptions: 1 }).where('id', '=', Number(id)).execute(),
  )
  await create({ code: 'INACTIVE', is_active: false })
  await create({ code: 'LATER', start_date: '2026-02-01' })
  await create({ code: 'OVER', start_date: '2025-01-01', end_date: '2025-12-31' })
  await create({ code: 'OTHERS', user_type: 'customer' })
  const redeemed = new Set([Number(used.id)])
  const buyer = { hasBought: false, hasSubscription: false, isMigrated: false, redeemed }
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
    await assert.rejects(apply(code, { buyer }), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.code], [400, reason])
      return true
    })
  }
})
