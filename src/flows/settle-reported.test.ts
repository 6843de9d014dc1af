import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { offerFor } from '../../test/licenses.ts'
import { boughtBy, buy, reportOfTest, send, undoneOf } from '../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../test/sales.ts'
import { subscribed } from '../../test/subscriptions.ts'
import { settleReports } from '../jobs/settle-reports.ts'
import { runDue } from '../jobs/worker.ts'
import { fromUtcTime, MINUTE } from '../lib/time.ts'
import { renewDue } from './renew.ts'
import { endSubscription } from './start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('settle_reported')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const licenseOf = (id: number) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A renewal that waits for the buyer's bank, and what it is named at its gateway. */
async function renewing() {
  const sale = await subscribed(app, { token: 'test_renewal_pending' })
  app.ctx.clock.set(fromUtcTime(sale.next))
  const { id: productId } = app.seller.product
  await renewDue(app.ctx, { environment: 1, productId, now: sale.next, limit: 100 })
  const charge = await app.ctx.db
    .selectFrom('charges')
    .selectAll()
    .where('subscription_id', '=', sale.subscription.id)
    .executeTakeFirstOrThrow()
  assert.equal(charge.state, 'pending')
  return { ...sale, chargeId: charge.external_id ?? '' }
}
const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a renewal that the bank decides later is renewed when it is reported, once', async () => {
  const { subscription, chargeId, licenseId } = await renewing()
  const charge = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const event = { type: 'charge', id: 'renewed', at: START, chargeId, charge } as const
  const ids = ['renewed', 'renewed', 'again', 'again']
  const answers = await Promise.all(ids.map((id) => send(app, 'test', reportOfTest(app, { ...event, id }))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual(
    [row.next_payment, row.failed_payments, row.total_gross],
    ['2026-03-31 10:00:00', 0, 1_200],
  )
  assert.equal((await licenseOf(licenseId)).expiration, '2026-04-01 10:00:00')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal that the bank declines later is a failed attempt, once', async () => {
  const { subscription, chargeId } = await renewing()
  const charge = { outcome: 'declined', externalId: chargeId, reason: 'declined', message: 'No.' } as const
  const event = { type: 'charge', at: START, chargeId, charge } as const
  for (const id of ['no', 'no', 'no again']) await send(app, 'test', reportOfTest(app, { ...event, id }))
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual([row.failed_payments, row.outstanding_balance], [1, 1_200])
})

test('a renewal that is reported as paid after its subscription was cancelled keeps what it paid, and is renewed no more', async () => {
  const { subscription, chargeId, licenseId } = await renewing()
  await app.write((tx) => endSubscription(tx, scopeOf(app), subscription))
  const charge = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const event = { type: 'charge', id: 'late', at: START, chargeId, charge } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual([row.next_payment, row.due_at, row.total_gross], [null, null, 1_200])
  assert.equal((await licenseOf(licenseId)).expiration, '2026-04-01 10:00:00')
})

test('in the sandbox a purchase is disputed, won or lost as its token says, once', async () => {
  const { pricingId } = await offerFor(app, 1)
  const tokens = ['test_disputed', 'test_dispute_won', 'test_dispute_lost', 'test_succeeds']
  const bought = await Promise.all(
    tokens.map(async (token) => boughtBy(app, (await buy(app, pricingId, token)).reply)),
  )
  for (let times = 0; times < 2; times++) {
    app.ctx.clock.advance(MINUTE)
    await runDue(app.ctx, [settleReports])
  }
  const kinds = bought.map(async ({ payment }) => (await undoneOf(app, payment)).map(([type]) => type))
  assert.deepEqual(await Promise.all(kinds), [
    ['disputed'],
    ['disputed', 'won_dispute'],
    ['disputed', 'lost_dispute'],
    [],
  ])
  const ended = await Promise.all(
    bought.map(async ({ licenseId }) => (await licenseOf(licenseId)).is_cancelled),
  )
  assert.deepEqual(ended, [0, 0, 1, 0])
  assert.deepEqual(await ledgerFaults(app), [])
})
