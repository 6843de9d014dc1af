import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { payCheckout } from '../../test/reports.ts'
import { scopeOf } from '../../test/sales.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { offerFor } from '../../test/licenses.ts'
import { stripeShop } from '../../test/stripe/renewals.ts'
import { addWebhook, happen, startReceiver } from '../../test/webhooks.ts'
import { notLeftAlone } from '../db/failed-rows.ts'
import { anyDueMail } from '../mail/mail-rows.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../lib/time.ts'
import { waitingEvents } from '../sales/charges/gateway-event-queries.ts'
import { takeCharge } from '../sales/charges/charge-rows.ts'
import { restOf } from '../sales/charges/known-charge.ts'
import { deliverEvents } from '../events/delivery/deliver-events-job.ts'
import { settlePurchases } from '../sales/checkouts/settle-purchases-job.ts'
import { runDue } from './worker.ts'

/** A time that a clock has written that was ahead, and has come back. */
const AHEAD_MS = 400 * DAY

let shop: Awaited<ReturnType<typeof stripeShop>>
before(async () => {
  shop = await stripeShop('clock_back', { config: { mode: 'development' } })
})
after(() => shop.close())

/** The next purchase is charged, and its answer is lost: the customer is made before, and the library asks twice. */
const losePayment = () => void shop.stripe.faults.push('none', 'lost', 'lost')

const ahead = () => shop.app.ctx.clock.real() + AHEAD_MS

test('a purchase whose answer was lost under a clock that was ahead is settled when that comes back', async () => {
  const { app } = shop
  const { pricingId } = await offerFor(app, 1)
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email: 'ahead@example.com' }),
  )
  losePayment()
  assert.equal((await payCheckout(app, token, 'pm_card_visa')).status, 503)
  app.ctx.clock.advance(10 * MINUTE)
  const { numUpdatedRows: held } = await app.write(({ db }) =>
    db
      .updateTable('charges')
      .set({ lease_until: ahead() })
      .where('state', '=', 'started')
      .executeTakeFirstOrThrow(),
  )
  assert.equal(held, 1n)
  await runDue(app.ctx, [settlePurchases])
  assert.equal((await payCheckout(app, token, 'pm_card_visa')).json.state, 'paid')
})

test('a purchase of before a clock was set back by hours is settled while that time is not over, and held by one', async () => {
  const { app } = shop
  const { clock } = app.ctx
  const { pricingId } = await offerFor(app, 1)
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email: 'back@example.com' }),
  )
  losePayment()
  assert.equal((await payCheckout(app, token, 'pm_card_visa')).status, 503)
  const open = () =>
    app.ctx.db.selectFrom('charges').selectAll().where('state', 'in', ['started', 'pending']).execute()
  const [charge] = await open()
  assert.ok(charge)
  clock.set(clock.real() - 3 * HOUR)
  const now = clock.real()
  const take = () =>
    app.write((tx) => takeCharge(tx.db, scopeOf(app), { id: charge.id, now, leaseUntil: now + 2 * MINUTE }))
  assert.ok(await take())
  assert.equal(await take(), undefined)
  clock.advance(3 * MINUTE)
  await runDue(app.ctx, [settlePurchases])
  assert.deepEqual(await open(), [])
  assert.equal((await payCheckout(app, token, 'pm_card_visa')).json.state, 'paid')
  clock.advance(3 * HOUR)
})

test('a charge that is open for weeks is looked at each day, which is no sign of a clock that was ahead', () => {
  const { clock } = shop.app.ctx
  const created = toUtcTime(clock.real() - 30 * DAY)
  assert.equal(restOf(shop.app.ctx, { created, external_id: 'pi_1' }), DAY)
})

test('a subscription that was held under a clock that was ahead is renewed when that comes back', async () => {
  const one = await shop.sold()
  await shop.goTo(fromUtcTime(one.next))
  await shop.app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ lease_until: ahead() })
      .where('id', '=', one.subscriptionId)
      .execute(),
  )
  await shop.renew()
  assert.equal((await shop.renewalsOf(one)).length, 1)
})

test('a delivery that a clock has put off that was ahead is made when that comes back', async (t) => {
  const { app } = shop
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  receiver.answer = (response) => response.writeHead(500).end()
  await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  await happen(app, [1])
  await runDue(app.ctx, [deliverEvents])
  assert.equal(receiver.received.length, 1)
  await app.write(async ({ db }) => {
    await db.updateTable('deliveries').set({ due_at: ahead() }).where('state', '=', 'pending').execute()
    await db.updateTable('webhooks').set({ due_at: ahead(), lease_until: ahead() }).execute()
  })
  await runDue(app.ctx, [deliverEvents])
  assert.equal(receiver.received.length, 2)
})

test('a report of a gateway that a clock has put off that was ahead is looked at when that comes back', async () => {
  const { app } = shop
  const { db, clock } = app.ctx
  const now = clock.real()
  const row = { gateway: 'stripe', refund_id: null, report: null, method: null, created: toUtcTime(now) }
  await app.write((tx) =>
    tx.db
      .insertInto('gateway_events')
      .values([
        { ...row, event_id: 'evt_ahead', due_at: ahead() },
        { ...row, event_id: 'evt_later', due_at: now + HOUR },
      ])
      .execute(),
  )
  const waiting = await waitingEvents(db, now, 10)
  assert.deepEqual(
    waiting.map((event) => event.event_id),
    ['evt_ahead'],
  )
  await app.write((tx) => tx.db.deleteFrom('gateway_events').execute())
})

test('a mail that a clock has put off that was ahead is due when that comes back', async () => {
  const { app } = shop
  const { db, clock } = app.ctx
  await app.write(async (tx) => {
    await tx.db.updateTable('mails').set({ due_at: ahead(), lease_until: ahead() }).execute()
  })
  assert.ok(await db.selectFrom('mails').select('id').limit(1).executeTakeFirst())
  assert.equal(await anyDueMail(db, clock.real()), true)
})

test('a row that was left alone under a clock that was ahead is taken up when that comes back', async () => {
  const { app } = shop
  const { db, clock } = app.ctx
  const now = clock.real()
  const row = { job: 'renew', failures: 1, failed_at: now, last_error: 'no' }
  const [first, second] = await db.selectFrom('subscriptions').select('id').orderBy('id').limit(2).execute()
  assert.ok(first && second)
  await app.write((tx) =>
    tx.db
      .insertInto('failed_rows')
      .values([
        { ...row, row_id: first.id, until_ms: now + DAY },
        { ...row, row_id: second.id, until_ms: ahead() },
      ])
      .execute(),
  )
  const free = await db.selectFrom('subscriptions').select('id').where(notLeftAlone('renew', now)).execute()
  assert.deepEqual(
    free.map(({ id }) => id).filter((id) => id === first.id || id === second.id),
    [second.id],
  )
})
