import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import type { UtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('kept_method')
  shop = await changeShop(app)
  for (const [code, more] of [
    ['FIRST', {}],
    ['ALWAYS', { has_renewals_discount: true }],
  ] as const) {
    const body = { code, discount: 100, discount_type: 'percentage', ...more }
    assert.ok((await app.call('POST', `${shop.base}/coupons.json`, { body })).status < 300)
  }
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

/** A month of `basic` for nothing at first, paid for with a method or none. */
const bought = (token: string | null, coupon = 'FIRST') =>
  shop.buy({ billing_cycle: 'monthly', coupon }, token)

const grossesOf = async (id: string) =>
  (await shop.paymentsOf(id)).map(({ gross, gateway, external_id: at }) => [gross, gateway, at !== null])

test('a method of payment that is given for what costs nothing now is kept, and charged for the renewal', async () => {
  const { id } = await bought('test_succeeds')
  assert.deepEqual(await grossesOf(id), [[0, null, false]])
  const [subscription] = await shop.subscriptionsOf(id)
  assert.ok(subscription?.payment_method_id)
  await renewAt(app, '2026-02-28 10:00:00' as UtcTime)
  assert.deepEqual(await grossesOf(id), [
    [0, null, false],
    [1_000, 'test', true],
  ])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('what costs nothing now needs no method of payment, and what never costs anything keeps none', async () => {
  const without = await bought(null)
  const always = await bought('test_succeeds', 'ALWAYS')
  const once = await shop.buy({ billing_cycle: 'lifetime', coupon: 'FIRST' }, 'test_succeeds')
  for (const { id } of [without, always]) {
    const [subscription] = await shop.subscriptionsOf(id)
    assert.deepEqual([subscription?.payment_method_id, subscription?.gateway], [null, null])
  }
  assert.deepEqual(await grossesOf(once.id), [[0, null, false]])
})

test('a method of payment for later that is declined is told, and the checkout can be paid again', async () => {
  const who = { user_email: 'later@example.com', country_code: 'us' }
  const { json: session } = await shop.open({
    ...shop.sandbox(),
    ...who,
    plan_id: shop.plans.basic,
    billing_cycle: 'monthly',
    coupon: 'FIRST',
  })
  const declined = await shop.pay(session.id, 'test_declined')
  assert.deepEqual([declined.status, declined.json.error.code], [400, 'payment_declined'])
  assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
})

test('where no gateway would take it, what costs nothing is bought without the method that is given', async () => {
  const { gateways } = app.ctx
  Object.assign(app.ctx, { gateways: [] })
  try {
    const { id } = await bought('test_succeeds')
    assert.equal((await shop.subscriptionsOf(id))[0]?.payment_method_id, null)
  } finally {
    Object.assign(app.ctx, { gateways })
  }
})
