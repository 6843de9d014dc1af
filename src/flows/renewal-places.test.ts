import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { sell } from '../../test/sales.ts'
import { renewAt, subscribed } from '../../test/subscriptions.ts'
import { addMonths } from '../lib/periods.ts'
import { toUtcTime } from '../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renewal_places')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('what is due in the sandbox of a product renews nothing in that of another, which has a clock of its own', async () => {
  const next = addMonths(toUtcTime(START), 1)
  const { subscription: other } = await sell(app, {
    product: app.seller.other,
    payment: { environment: 1 },
    subscription: { environment: 1, billing_cycle: 1, next_payment: next },
  })
  const before = await subscriptionOf(other.id)
  const { subscription } = await subscribed(app)
  await renewAt(app, next)
  assert.equal((await subscriptionOf(subscription.id)).next_payment, '2026-03-31 10:00:00')
  assert.deepEqual(await subscriptionOf(other.id), before)
})
