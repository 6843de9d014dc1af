// Runs slowly.
import assert from 'node:assert/strict'
import { test, type TestContext as Running } from 'node:test'
import { testContext, type TestContext, type TestOptions } from '../../test/app.ts'
import { demoContext } from '../../test/demo.ts'
import { transaction } from '../context.ts'
import { systemScope } from '../access/scope.ts'
import { demoGoesOn } from './goes-on-job.ts'
import { expire } from '../licensing/notices/expire-job.ts'
import { runDue } from '../jobs/worker.ts'
import { DAY, HOUR, toUtcTime } from '../lib/time.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { fillDemo, goOnWithDemo } from './demo.ts'
import { findDemo } from './find-demo.ts'
import { endSubscription } from '../sales/subscriptions/start-subscription.ts'

async function withDemo(t: Running, name: string, options: Pick<TestOptions, 'onStatement'> = {}) {
  const { ctx, demo, drop } = await demoContext(name, options)
  t.after(drop)
  return { ctx, demo }
}

/** What was sold, without ids. */
const salesIn = ({ db }: TestContext) =>
  db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select(['payments.product_id', 'users.email', 'payments.type', 'payments.external_id', 'payments.gross'])
    .select(['payments.tax', 'payments.is_renewal', 'payments.processed_at', 'payments.created'])
    .where('payments.environment', '=', 0)
    .orderBy('payments.processed_at')
    .orderBy('payments.external_id')
    .execute()

const STRETCH = 40

test('a demo that runs for weeks goes on as one that is started again after them: with sales, trials and people', async (t) => {
  const runs = await withDemo(t, 'demo_runs')
  const rests = await withDemo(t, 'demo_rests')
  const before = await salesIn(runs.ctx)
  const since = runs.ctx.clock.now()
  const mailsIn = ({ db }: TestContext) => db.selectFrom('mails').select('id').execute()
  const mails = await mailsIn(runs.ctx)
  for (let day = 0; day < STRETCH; day++) {
    runs.ctx.clock.advance(DAY)
    await runDue(runs.ctx, [demoGoesOn])
  }
  rests.ctx.clock.advance(STRETCH * DAY)
  assert.deepEqual(await fillDemo(rests.ctx), rests.demo)
  const after = await salesIn(runs.ctx)
  assert.deepEqual(await salesIn(rests.ctx), after)
  assert.deepEqual(after.slice(0, before.length), before)
  const later = after.slice(before.length)
  assert.ok(later.length > 20 && later.some((one) => one.is_renewal), `${later.length} payments`)
  assert.ok(later.every((one) => one.processed_at > since))
  for (let week = 0; week < STRETCH / 7; week++) {
    const [from, to] = [week, week + 1].map((n) => toUtcTime(runs.ctx.clock.real() - (STRETCH - 7 * n) * DAY))
    assert.ok(
      later.some((one) => one.processed_at >= (from ?? '') && one.processed_at < (to ?? '')),
      `${week}`,
    )
  }
  for (const table of ['users', 'trials', 'installs', 'carts', 'subscriptions'] as const) {
    const rows = await runs.ctx.db.selectFrom(table).select('id').where('created', '>', since).execute()
    assert.ok(rows.length > 1, `${table}: ${rows.length}`)
  }
  assert.deepEqual(await mailsIn(runs.ctx), mails, 'nobody is mailed')
  const charges = await runs.ctx.db
    .selectFrom('charges')
    .select('id')
    .where('environment', '=', 0)
    .where('state', '<>', 'declined')
    .execute()
  assert.deepEqual(charges, [])
  assert.equal((await checkLedger(runs.ctx)).ok, true)
})

test('no license of the demo lapses while its renewal is on the way', async (t) => {
  const { ctx } = await withDemo(t, 'demo_lapses')
  const since = ctx.clock.now()
  for (let hour = 0; hour < 12 * 24; hour++) {
    ctx.clock.advance(HOUR)
    await runDue(ctx, [expire, demoGoesOn])
  }
  const types = ['license.expired', 'license.extended'] as const
  const told = await ctx.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('type', 'in', types)
    .where('created', '>', since)
    .execute()
  const idsOf = (type: string) =>
    told.filter((one) => one.type === type).map(({ data }) => (JSON.parse(data ?? '{}') as Named).license_id)
  const extended = new Set(idsOf('license.extended'))
  assert.ok(extended.size > 3, `${extended.size} renewals`)
  assert.deepEqual(
    idsOf('license.expired').filter((id) => extended.has(id)),
    [],
  )
})

interface Named {
  readonly license_id: string
}

test('of two that go on with the demo at once, and after one that broke off, each sale is written once', async (t) => {
  let left = Number.POSITIVE_INFINITY
  const onStatement = (statement: string) => {
    if (statement.startsWith('insert into "payments"') && left-- === 0) throw new Error('broken off')
  }
  const broken = await withDemo(t, 'demo_broken', { onStatement })
  const whole = await withDemo(t, 'demo_whole')
  for (const { ctx } of [broken, whole]) ctx.clock.advance(90 * DAY)
  await goOnWithDemo(whole.ctx, whole.demo)
  left = 30
  await assert.rejects(goOnWithDemo(broken.ctx, broken.demo), /broken off/)
  const some = (await salesIn(broken.ctx)).length
  assert.ok(some < (await salesIn(whole.ctx)).length)
  await Promise.all([goOnWithDemo(broken.ctx, broken.demo), goOnWithDemo(broken.ctx, broken.demo)])
  assert.deepEqual(await salesIn(broken.ctx), await salesIn(whole.ctx))
})

test('what somebody has done to the sales of the demo stays so, and all others go on', async (t) => {
  const { ctx, demo } = await withDemo(t, 'demo_touched')
  const active = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('environment', '=', 0)
    .where('billing_cycle', '=', 1)
    .where('canceled_at', 'is', null)
    .orderBy('id')
    .execute()
  const [ended = assert.fail()] = active
  const scope = systemScope({ developerId: demo.developerId, productId: ended.product_id })
  await transaction(ctx, (tx) => endSubscription(tx, scope, ended))
  await ctx.database.transaction((db) => db.updateTable('plans').set({ trial_period: null }).execute())
  const trials = await ctx.db.selectFrom('trials').select('id').execute()
  const before = (await salesIn(ctx)).length
  ctx.clock.advance(60 * DAY)
  await goOnWithDemo(ctx, demo)
  assert.ok((await salesIn(ctx)).length > before + 20)
  const paid = await ctx.db
    .selectFrom('payments')
    .select('id')
    .where('subscription_id', '=', ended.id)
    .where('processed_at', '>', ended.next_payment)
    .execute()
  assert.deepEqual(paid, [])
  assert.deepEqual(
    await ctx.db.selectFrom('trials').select('id').execute(),
    trials,
    'nobody can try any more',
  )
})

test('clients of the demo are refused once a day, however often it goes on', async (t) => {
  const { ctx, demo } = await withDemo(t, 'demo_refused')
  const refused = () =>
    ctx.db
      .selectFrom('refusals')
      .select(['day', 'code', 'url', 'count'])
      .where('product_id', '=', demo.productId)
      .orderBy('id')
      .execute()
  const first = await refused()
  assert.deepEqual(
    first.map(({ code }) => code),
    ['license_utilized', 'license_expired', 'license_cancelled'],
  )
  ctx.clock.advance(HOUR)
  await goOnWithDemo(ctx, demo)
  assert.deepEqual(await refused(), first)
  ctx.clock.advance(DAY)
  await goOnWithDemo(ctx, demo)
  assert.ok((await refused()).length > first.length)
})

test('a seller that is no demo is left alone', async (t) => {
  const { ctx, drop } = await testContext('demo_none')
  t.after(drop)
  assert.equal(await findDemo(ctx), null)
  ctx.clock.advance(DAY)
  await runDue(ctx, [demoGoesOn])
  await runDue(ctx, [demoGoesOn])
  assert.deepEqual(await ctx.db.selectFrom('payments').select('id').execute(), [])
})
