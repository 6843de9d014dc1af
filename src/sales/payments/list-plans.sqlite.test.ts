import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { planOf } from '../../../test/query-plan.ts'
import type { UtcTime } from '../../lib/time.ts'
import { pageOfSubscriptions, type SubscriptionSearch } from '../subscriptions/list-queries.ts'
import { pageOfPayments, type PaymentSearch } from './list-queries.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('payment_plans')
})
after(() => app.close())

const OWNER = { developerId: 1, productId: 1, userId: null, installId: null }
const PAGE = { productIds: [1], count: 25, offset: 0 }

const at = '2026-01-01 00:00:00' as UtcTime
const payments: [Partial<PaymentSearch>, string][] = [
  [{}, 'payments_of_product'],
  [{ filter: 'refunds' }, 'payments_of_type'],
  [{ filter: 'disputed' }, 'payments_of_type'],
  [{ filter: 'won_disputes' }, 'payments_of_type'],
  [{ filter: 'not_refunded' }, 'payments_kept'],
  [{ equal: { user_id: 7 } }, 'payments_of_user'],
  [{ equal: { license_id: 7 } }, 'payments_of_license'],
  [{ equal: { subscription_id: 7 } }, 'payments_of_subscription'],
  [{ equal: { billing_cycle: 1 } }, 'payments_of_cycle'],
  [{ equal: { currency: 'eur' } }, 'payments_of_currency'],
  [{ equal: { coupon_id: 7 } }, 'payments_of_coupon'],
  [{ equal: { environment: 0 } }, 'payments_of_product'],
  [{ equal: { environment: 1 } }, 'payments_of_sandbox'],
]
for (const [search, index] of payments) {
  test(`payments with ${JSON.stringify(search)} are skipped in the index ${index}`, async () => {
    const { found, sorts } = await planOf(
      app.ctx.db,
      pageOfPayments(app.ctx.db, OWNER, { ...PAGE, ...search }),
    )
    assert.match(found, new RegExp(`INDEX ${index} `))
    assert.equal(sorts, 0, found)
  })
}

test('payments of some time, of a dispute lost, or searched for, are found by index', async () => {
  const searched = { text: 'a@example.com', id: 7, emailFolded: 'a@example.com' }
  const some: Partial<PaymentSearch>[] = [
    { paid: { from: at, to: at } },
    { filter: 'chargebacks' },
    { search: searched },
  ]
  for (const search of some) {
    const { found } = await planOf(app.ctx.db, pageOfPayments(app.ctx.db, OWNER, { ...PAGE, ...search }))
    assert.match(found, /INDEX payments_/, JSON.stringify(search))
  }
})

const subscriptions: [Partial<SubscriptionSearch>, string][] = [
  [{}, 'subscriptions_of_product'],
  [{ sort: 'id' }, 'subscriptions_of_product'],
  [{ filter: 'active' }, 'subscriptions_active'],
  [{ filter: 'cancelled' }, 'subscriptions_cancelled'],
  [{ equal: { user_id: 7 } }, 'subscriptions_of_user'],
  [{ equal: { license_id: 7 } }, 'subscriptions_of_license'],
  [{ equal: { plan_id: 7 } }, 'subscriptions_of_plan'],
  [{ equal: { billing_cycle: 1 } }, 'subscriptions_of_cycle'],
  [{ equal: { environment: 0 } }, 'subscriptions_of_product'],
  [{ equal: { environment: 1 } }, 'subscriptions_of_sandbox'],
  [{ sort: 'next_payment' }, 'subscriptions_by_next'],
  [{ sort: '-next_payment' }, 'subscriptions_by_last'],
]
for (const [search, index] of subscriptions) {
  test(`subscriptions with ${JSON.stringify(search)} are skipped in the index ${index}`, async () => {
    const query = pageOfSubscriptions(app.ctx.db, OWNER, { ...PAGE, sort: '-id', ...search })
    assert.match((await planOf(app.ctx.db, query)).found, new RegExp(`INDEX ${index} `))
  })
}

test('subscriptions of a gateway, or searched for, are found by index', async () => {
  const searched = { text: 'a@example.com', id: 7, emailFolded: 'a@example.com' }
  for (const search of [{ gateway: 'stripe' as const }, { search: searched }]) {
    const query = pageOfSubscriptions(app.ctx.db, OWNER, { ...PAGE, sort: '-id', ...search })
    assert.match((await planOf(app.ctx.db, query)).found, /INDEX subscriptions_/)
  }
})

test('the environment stands in the text of a statement, as a plan for whatever value has no index of the sandbox', () => {
  const { sql } = pageOfPayments(app.ctx.db, OWNER, { ...PAGE, equal: { environment: 1 } }).compile()
  assert.match(sql, /"payments"."environment" = 1/)
})
