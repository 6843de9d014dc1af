// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from '../../test/app.ts'
import { demoContext } from '../../test/demo.ts'
import { systemScope } from '../access/scope.ts'
import { openDemo } from './demo.ts'
import type { Demo } from './part.ts'
import { pricingOfAddons, pricingTable, tableState } from '../sales/pricing-table/pricing-table.ts'

let ctx: TestContext
let drop: () => Promise<void>
let demo: Demo
before(async () => {
  const opened = await demoContext('demo-plans')
  ctx = opened.ctx
  drop = opened.drop
  demo = opened.demo
})
after(() => drop())

const query = { show_pending: false, type: 'visible', is_enriched: true } as const
const scopeOf = (productId: number) => systemScope({ developerId: demo.developerId, productId })
const tableOf = async (productId: number) =>
  pricingTable(ctx, query, (await tableState(ctx, scopeOf(productId), query)).known)

test('both products are free and professional, at prices in three currencies for 1, 5 and unlimited sites', async () => {
  for (const productId of [demo.productId, demo.otherProductId]) {
    const { plans, trial_mode: hasTrial } = await tableOf(productId)
    const [free, paid = assert.fail()] = plans
    assert.deepEqual(
      [free?.name, free?.pricing, paid.name, plans.length],
      ['free', undefined, 'professional', 2],
    )
    assert.equal(hasTrial, true)
    const { pricing = [] } = paid
    assert.equal(new Set(pricing.map((price) => `${price.currency} ${price.licenses}`)).size, 9)
    assert.deepEqual(new Set(pricing.map(({ licenses }) => licenses)), new Set([1, 5, null]))
    for (const price of pricing) {
      const amounts = [Number(price.monthly_price), Number(price.annual_price), Number(price.lifetime_price)]
      assert.ok(
        amounts.every((amount, n) => amount > (amounts[n - 1] ?? 0)),
        amounts.join(),
      )
    }
  }
})

test('one product has an add-on, and every kind has an example', async () => {
  const [addon, ...others] = await pricingOfAddons(ctx, scopeOf(demo.productId), query)
  const { examples } = await openDemo(ctx, demo)
  assert.deepEqual([addon?.id, others], [examples['addon_id'], []])
  const { plans } = await tableOf(demo.productId)
  const paid = plans.find(({ id }) => id === examples['plan_id'])
  assert.ok(paid?.pricing?.some(({ id }) => id === examples['pricing_id']))
  assert.ok(paid?.features.some(({ id }) => id === examples['feature_id']))
})
