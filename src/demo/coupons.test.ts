// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoContext } from '../../test/demo.ts'
import { SPECIAL_TYPES } from '../db/tables/coupons.ts'
import { systemScope } from '../access/scope.ts'
import { CURRENCIES } from '../lib/money.ts'
import type { Purchase } from '../sales/coupons/evaluate.ts'
import { evaluateCode, getCoupons } from '../sales/coupons/service.ts'
import { getSpecial } from '../sales/coupons/special.ts'
import { openDemo } from './demo.ts'
import { noteOfCoupon } from '../sales/notes/coupon-notes.ts'

test('the demo has coupons of every kind, and of two with one code each has its purchase', async (t) => {
  const { ctx, demo, drop } = await demoContext('demo_coupons')
  t.after(drop)
  const { developerId, productId, otherProductId } = demo
  const scope = systemScope({ developerId, productId })
  const list = (of = scope) => getCoupons(ctx, of, { is_enriched: true, count: 50, offset: 0 })
  const coupons = await list()
  const has = (one: (coupon: (typeof coupons)[number]) => boolean) => assert.ok(coupons.some(one))
  has(({ entity_type }) => entity_type === 'store')
  has(({ discounts }) => discounts?.eur === 45 && discounts.usd === 50)
  has(({ is_active }) => !is_active)
  has(({ end_date }) => end_date < ctx.clock.now())
  has(({ redemptions_limit }) => redemptions_limit !== null)
  const elsewhere = await list(systemScope({ developerId, productId: otherProductId }))
  assert.deepEqual(
    elsewhere.map(({ code }) => code),
    ['NEWYEAR20', 'SUMMER15'],
  )
  assert.equal((await getSpecial(ctx, scope, {})).length, SPECIAL_TYPES.length)
  const noted = coupons.find(({ code }) => code === 'LIFETIME50')
  assert.match((await noteOfCoupon(ctx, scope, Number(noted?.id))).note, /250/)
  const spring = coupons.filter(({ code }) => code === 'SPRING')
  const off = async (billingCycle: 1 | 12 | 0) => {
    const bought: Purchase = {
      now: ctx.clock.now(),
      environment: 0,
      productId,
      isAddon: false,
      planId: Number(spring[0]?.plans),
      quota: 1,
      billingCycle,
      currency: CURRENCIES[1],
      price: 10_000,
      buyer: { hasBought: false, hasSubscription: false, isMigrated: false, redeemed: new Set() },
    }
    const result = await evaluateCode(ctx, scope, 'spring', bought)
    return result.applies ? result.amountOff : result.reason
  }
  assert.deepEqual([await off(12), await off(1), await off(0)], [3000, 1500, 'coupon_not_applicable'])
  const { examples } = await openDemo(ctx, demo)
  assert.ok(coupons.some(({ id }) => id === examples['coupon_id']))
})
