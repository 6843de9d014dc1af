import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { reportOfTest, send } from '../../../test/reports.ts'
import { eventsAbout, scopeOf, sell } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { expire } from '../../licensing/notices/expire-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { insertCharge, startedCharge } from '../charges/charge-rows.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renewal_places')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

type Subscribed = Awaited<ReturnType<typeof subscribed>>

let charges = 0
/** A charge of a subscription that its gateway has not decided, which somebody has in hand. */
const openCharge = ({ subscription, userId }: Subscribed, purpose: 'refund' | 'renewal') =>
  app.write((tx) =>
    insertCharge(
      tx.db,
      startedCharge(tx.clock.real(), {
        key: `open:${++charges}`,
        product_id: subscription.product_id,
        user_id: userId,
        environment: subscription.environment,
        purpose,
        subscription_id: subscription.id,
        payment_id: null,
        amount: 100,
        currency: 'usd',
        gateway: 'test',
        details: null,
        lease_until: Number.MAX_SAFE_INTEGER,
      }),
    ),
  )

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

test('a subscription is renewed while a refund of it is open', async () => {
  const one = await subscribed(app)
  await openCharge(one, 'refund')
  await renewAt(app, one.next)
  assert.equal((await subscriptionOf(one.subscription.id)).next_payment, '2026-03-31 10:00:00')
})

/** Whether a license lapses after its end while a charge of its subscription is open, of which so many attempts failed. */
async function lapses(purpose: 'refund' | 'renewal', failed: number): Promise<boolean> {
  app.ctx.clock.set(START)
  const one = await subscribed(app)
  await openCharge(one, purpose)
  await app.write(async ({ db }) => {
    const change = { environment: 0, due_at: null, failed_payments: failed } as const
    await db.updateTable('subscriptions').set(change).where('id', '=', one.subscription.id).execute()
    await db.updateTable('licenses').set({ environment: 0 }).where('id', '=', one.licenseId).execute()
    await db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute()
  })
  app.ctx.clock.set(fromUtcTime(one.next) + 2 * DAY)
  await runDue(app.ctx, [expire])
  return (await eventsAbout(app, 'license_id', one.licenseId)).includes('license.expired')
}

test('a license waits at its end for the first attempt at its renewal, and for no later one and no refund', async () => {
  assert.equal(await lapses('renewal', 0), false)
  assert.equal(await lapses('renewal', 1), true)
  assert.equal(await lapses('refund', 0), true)
})

/** A renewal that waits for its bank, which reports how it is decided. */
async function waiting() {
  const one = await subscribed(app, { token: 'test_renewal_pending' })
  await renewAt(app, one.next)
  const charge = await app.ctx.db
    .selectFrom('charges')
    .select('external_id')
    .where('subscription_id', '=', one.subscription.id)
    .executeTakeFirstOrThrow()
  const chargeId = charge.external_id ?? ''
  const tell = async (decided: object) => {
    const about = { type: 'charge', at: app.ctx.clock.real(), chargeId } as const
    const event = { ...about, id: `told ${++charges}`, charge: { externalId: chargeId, ...decided } }
    assert.equal((await send(app, 'test', reportOfTest(app, event as GatewayEvent))).status, 200)
  }
  return { ...one, tell }
}
const PAID = { outcome: 'paid', fee: 30, method: null } as const
const DECLINED = { outcome: 'declined', reason: 'declined', message: 'No.' } as const

test('a renewal that was declined and is paid after all is renewed while a refund of it is open, or another renewal', async () => {
  const one = await waiting()
  app.ctx.clock.set(START)
  const other = await subscribed(app)
  app.ctx.clock.set(fromUtcTime(one.next))
  await one.tell(DECLINED)
  await openCharge(one, 'refund')
  await openCharge(other, 'renewal')
  await one.tell(PAID)
  assert.equal((await subscriptionOf(one.subscription.id)).next_payment, '2026-03-31 10:00:00')
})

test('a renewal that was paid when its subscription was cancelled stays paid, whatever was given back of another one', async () => {
  const { subscription, licenseId, tell } = await waiting()
  await app.write((tx) => endSubscription(tx, scopeOf(app), subscription))
  const { payment } = await sell(app)
  await app.write(({ db }) =>
    db
      .updateTable('payments')
      .set({ refunded_gross: payment.gross, refunded_tax: payment.tax })
      .where('id', '=', payment.id)
      .execute(),
  )
  await tell(PAID)
  const { expiration } = await app.ctx.db
    .selectFrom('licenses')
    .select('expiration')
    .where('id', '=', licenseId)
    .executeTakeFirstOrThrow()
  assert.equal(expiration, '2026-04-01 10:00:00')
})
