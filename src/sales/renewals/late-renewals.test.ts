import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp, type TestContext } from '../../../test/app.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { reportOfTest, send } from '../../../test/reports.ts'
import { eventsAbout, ledgerFaults } from '../../../test/sales.ts'
import { renewNow, subscribed, takeLivePayments } from '../../../test/subscriptions.ts'
import { expire } from '../../licensing/notices/expire-job.ts'
import { heartbeat } from '../../work/heartbeat-job.ts'
import { renew } from './renew-job.ts'
import { settleRenewals } from './settle-renewals-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, fromUtcTime, HOUR } from '../../lib/time.ts'
import { renewalState, resumeRenewals } from '../../work/renewal-watch.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('late_renewals')
  takeLivePayments(app)
})
after(() => app.close())

type Sold = Awaited<ReturnType<typeof subscribed>>

/** A monthly subscription of production, or of the sandbox, that began now. Nothing else is due. */
async function sold(environment: 0 | 1, token = 'test_succeeds'): Promise<Sold> {
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  const one = await subscribed(app, { token, more: { environment } })
  await app.write(({ db }) =>
    db.updateTable('licenses').set({ environment }).where('id', '=', one.licenseId).execute(),
  )
  return one
}

const rowOf = ({ subscription }: Sold) =>
  app.ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()

const paymentsOf = ({ subscription }: Sold) =>
  app.ctx.db
    .selectFrom('payments')
    .select(['gross', 'processed_at'])
    .where('subscription_id', '=', subscription.id)
    .orderBy('id')
    .execute()

async function skippedOf({ subscription }: Sold) {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'subscription.periods.skipped')
    .where('data', 'like', `%"subscription_id":"${subscription.id}"%`)
    .execute()
  return rows.map(({ data }) => {
    const { from, to, periods } = JSON.parse(data ?? '{}') as { from: string; to: string; periods: number }
    return [from, to, periods]
  })
}

const licenseEnd = async ({ licenseId }: Sold) =>
  (
    await app.ctx.db
      .selectFrom('licenses')
      .select('expiration')
      .where('id', '=', licenseId)
      .executeTakeFirstOrThrow()
  ).expiration

const work = (ctx: TestContext = app.ctx) => runDue(ctx, [heartbeat, renew, settleRenewals, expire])

/** All jobs, as if each was due. */
async function workAll(): Promise<void> {
  await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
  await work()
}

/** The server stands still until a time; what other tests have left is no gap. */
async function begin(): Promise<void> {
  app.ctx.clock.set(Math.max(START, app.ctx.clock.real()))
  await workAll()
  await resumeRenewals(app.ctx)
}

/** What /metrics says. */
async function heldFigure(): Promise<string | undefined> {
  const figures = await (await fetch(`${app.address}/metrics`)).text()
  return /^keywright_renewals_held (.*)$/m.exec(figures)?.[1]
}

const isHeld = async () => (await renewalState(app.ctx.db, app.ctx.clock.real())).heldAt !== null

test('after nine months without a sign of life nobody is charged before the operator says so, and then for one period', async () => {
  await begin()
  const one = await sold(0)
  app.ctx.clock.set(Date.UTC(2026, 9, 15, 12))
  await work()
  app.ctx.clock.advance(HOUR)
  await work()
  assert.deepEqual([await paymentsOf(one), await isHeld()], [[], true])
  const other = anotherProcess(app)
  try {
    await resumeRenewals(app.ctx)
    await Promise.all([work(), work(other.ctx), work(), work(other.ctx)])
  } finally {
    await other.close()
  }
  app.ctx.clock.advance(DAY)
  await work()
  assert.deepEqual(await paymentsOf(one), [{ gross: 1_000, processed_at: '2026-10-15 13:00:00' }])
  assert.deepEqual(await skippedOf(one), [['2026-02-28 10:00:00', '2026-09-30 10:00:00', 7]])
  const { period_start, next_payment, due_at } = await rowOf(one)
  assert.deepEqual(
    [period_start, next_payment, due_at],
    ['2026-09-30 10:00:00', '2026-10-31 10:00:00', '2026-10-31 10:00:00'],
  )
  assert.equal(await licenseEnd(one), '2026-11-01 10:00:00')
  assert.equal(kindsOf(await mailsTo(app, one.email)), 'confirm_email renewed')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a clock that jumps holds renewals back too, and one that is put right charges nobody early', async () => {
  await begin()
  const one = await sold(0)
  const before = app.ctx.clock.real()
  assert.equal(await heldFigure(), '0')
  app.ctx.clock.set(before + 400 * DAY)
  assert.equal(await heldFigure(), '1', 'also before a job has noted it')
  await work()
  assert.deepEqual([await paymentsOf(one), await isHeld()], [[], true])
  app.ctx.clock.set(before + HOUR)
  await work()
  assert.equal(await isHeld(), true)
  assert.equal(await resumeRenewals(app.ctx), true)
  assert.equal(await resumeRenewals(app.ctx), false)
  await work()
  assert.deepEqual([await paymentsOf(one), await isHeld()], [[], false])
})

test('while the server lives, renewals go on by themselves; two days away are no reason to wait', async () => {
  await begin()
  const one = await sold(0)
  for (let at = app.ctx.clock.real(); at < fromUtcTime(one.next); at += 2 * DAY) {
    app.ctx.clock.set(at)
    await work()
  }
  app.ctx.clock.set(fromUtcTime(one.next) + DAY)
  await work()
  assert.equal((await paymentsOf(one)).length, 1)
  assert.deepEqual(await skippedOf(one), [])
})

test('sandboxes do not wait, and are charged for one period too', async () => {
  await begin()
  const one = await sold(1)
  app.ctx.clock.advance(270 * DAY)
  await renewNow(app)
  const now = app.ctx.clock.now()
  assert.equal((await paymentsOf(one)).length, 1)
  assert.equal((await skippedOf(one)).length, 1)
  assert.ok(((await rowOf(one)).next_payment ?? '') > now)
})

test('with charge_arrears every period that was missed is charged, one a day', async () => {
  const { id } = app.seller.product
  const put = (isOn: boolean) =>
    app.call('PUT', `/products/${id}/settings.json`, {
      body: { setting_type: 6, data: JSON.stringify({ charge_arrears: isOn }) },
    })
  assert.equal((await put(true)).status, 200)
  await begin()
  const one = await sold(0)
  app.ctx.clock.set(fromUtcTime(one.next) + 75 * DAY)
  await work()
  await resumeRenewals(app.ctx)
  const counts: number[] = []
  for (let day = 0; day < 5; day++) {
    await work()
    await work()
    counts.push((await paymentsOf(one)).length)
    app.ctx.clock.advance(DAY)
  }
  assert.deepEqual(counts, [1, 2, 3, 3, 3])
  assert.deepEqual(await skippedOf(one), [])
  assert.ok(((await rowOf(one)).due_at ?? '') > app.ctx.clock.now())
  assert.equal((await put(false)).status, 200)
})

test('a renewal that was not answered before the server was away is charged for no period that is over', async () => {
  await begin()
  const one = await sold(0, 'test_renewal_unreachable')
  app.ctx.clock.set(fromUtcTime(one.next))
  await work()
  await resumeRenewals(app.ctx)
  await work()
  app.ctx.clock.advance(200 * DAY)
  await work()
  assert.equal(await isHeld(), true)
  const charges = await app.ctx.db
    .selectFrom('charges')
    .select('key')
    .where('subscription_id', '=', one.subscription.id)
    .execute()
  assert.equal(charges.length, 1)
  assert.deepEqual(await paymentsOf(one), [])
  await resumeRenewals(app.ctx)
})

test('attempts at a period that is left out, and what was owed for it, do not count for the next', async () => {
  await begin()
  const one = await sold(0, 'test_renewal_declined')
  for (const days of [0, 1]) {
    app.ctx.clock.set(fromUtcTime(one.next) + days * DAY)
    await work()
    await resumeRenewals(app.ctx)
    await work()
  }
  const before = await rowOf(one)
  assert.deepEqual([before.attempt, before.failed_payments, before.outstanding_balance], [2, 2, 1_200])
  const other = await subscribed(app, { token: 'test_renewal_pending', more: { environment: 0 } })
  const { payment_method_id } = other.subscription
  await app.write(({ db }) =>
    db.updateTable('subscriptions').set({ payment_method_id }).where('id', '=', before.id).execute(),
  )
  app.ctx.clock.advance(60 * DAY)
  await work()
  await resumeRenewals(app.ctx)
  await work()
  const late = await rowOf(one)
  assert.deepEqual([late.attempt, late.failed_payments, late.outstanding_balance], [0, 0, 0])
  const charges = await app.ctx.db
    .selectFrom('charges')
    .select(['key', 'state'])
    .where('subscription_id', '=', before.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    charges.map(({ key, state }) => `${key.split(':').at(-1)} ${state}`),
    ['1 declined', '2 declined', '1 pending'],
  )
})

test('a license does not lapse while the first attempt at its renewal is in flight, but once that is declined', async () => {
  await begin()
  const one = await sold(0, 'test_renewal_pending')
  const hasLapsed = async () =>
    (await eventsAbout(app, 'license_id', one.licenseId)).includes('license.expired')
  app.ctx.clock.set(fromUtcTime(one.next))
  await resumeRenewals(app.ctx)
  await work()
  app.ctx.clock.advance(2 * DAY)
  await work()
  assert.equal(await hasLapsed(), false)
  const charges = app.ctx.db.selectFrom('charges').select('external_id')
  const found = await charges.where('subscription_id', '=', one.subscription.id).executeTakeFirstOrThrow()
  const chargeId = found.external_id ?? ''
  const charge = { outcome: 'declined', externalId: chargeId, reason: 'declined', message: 'No.' } as const
  const event = { type: 'charge', id: 'no', at: app.ctx.clock.real(), chargeId, charge } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
  app.ctx.clock.advance(HOUR)
  await work()
  assert.equal(await hasLapsed(), true)
})

test('a trial whose first periods are left out is converted by the first payment', async () => {
  await begin()
  const one = await sold(1)
  await app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ trial_ends: one.next, initial_amount: 700 })
      .where('id', '=', one.subscription.id)
      .execute(),
  )
  app.ctx.clock.advance(270 * DAY)
  await renewNow(app)
  const [skipped] = await skippedOf(one)
  const [first] = await paymentsOf(one)
  assert.deepEqual([(await rowOf(one)).trial_ends, first?.gross], [skipped?.[1], 700])
})

test('the word to go on is taken before a job has noted that renewals wait', async () => {
  await begin()
  app.ctx.clock.advance(10 * DAY)
  assert.deepEqual([await resumeRenewals(app.ctx), await isHeld()], [true, false])
})

test('a sign of life by a clock that has gone back is none', async () => {
  await begin()
  const before = app.ctx.clock.real()
  app.ctx.clock.set(before - 2 * DAY)
  await workAll()
  app.ctx.clock.set(before + 2 * DAY)
  await workAll()
  assert.equal(await isHeld(), false)
})
