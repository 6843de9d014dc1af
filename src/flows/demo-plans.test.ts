import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, type TestContext } from '../../test/app.ts'
import { systemScope } from '../http/scope.ts'
import { fillDemo, openDemo } from './demo.ts'
import type { Demo } from './demo-part.ts'
import { pricingOfAddons, pricingTable, tableState } from './pricing-table.ts'

let ctx: TestContext
let drop: () => Promise<void>
let demo: Demo
before(async () => {
  const opened = await testContext('demo-plans')
  ctx = opened.ctx
  drop = opened.drop
  demo = (await fillDemo(ctx)) ?? assert.fail()
})
after(() => drop())

const query = { show_pending: false, type: 'visible', is_enriched: true } as const
const scopeOf = (productId: number) => systemScope({ developerId: demo.developerId, productId })
const tableOf = async (productId: number) =>
  pricingTable(ctx, query, (await tableState(ctx, scopeOf(productId), query)).known)

test('both products are free and professional, at prices in three currencies for 1, 5 and unlimited sites', async () => {
  for (const productId of [demo.productId, demo.otherProductId]) {
    const { plans, trial_mode: hasTrial } = await tableOf(productId)
    const [free, paid, ...others] = plans
    assert.deepEqual([free?.name, paid?.name, others], ['free', 'professional', []])
    assert.ok(free && paid && free.features.length < paid.features.length && hasTrial)
    const { pricing = [] } = paid
    assert.equal('pricing' in free, false)
    assert.equal(new Set(pricing.map((price) => `${price.currency} ${price.licenses}`)).size, 9)
    for (const { monthly_price: monthly, annual_price: annual, lifetime_price: lifetime } of pricing)
      assert.ok(monthly && annual && lifetime && monthly * 12 > annual && lifetime > annual)
  }
})

test('one product has an add-on, and every kind has an example', async () => {
  const [addon, ...others] = await pricingOfAddons(ctx, scopeOf(demo.productId), query)
  const { examples } = await openDemo(ctx, demo)
  assert.deepEqual([addon?.id, others], [examples['addon_id'], []])
  const { plans } = await tableOf(demo.productId)
  const paid = plans.find(({ id }) => id === examples['plan_id'])
  assert.ok(paid?.pricing?.some(({ id }) => id === examples['pricing_id']))
  assert.ok(paid.features.some(({ id }) => id === examples['feature_id']))
})
