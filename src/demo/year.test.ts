// Runs slowly.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testContext } from '../../test/app.ts'
import type { ReadContext } from '../context.ts'
import { DAY } from '../lib/time.ts'
import { renew } from '../sales/renewals/renew-job.ts'
import { runDue } from '../jobs/worker.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { demoContext, startDemo } from '../../test/demo.ts'
import { wrongInstallCounts } from '../licensing/installs/install-count-rows.ts'
import { wrongSaleCounts } from '../sales/payments/sale-count-rows.ts'
import { fillDemo } from './demo.ts'

async function withDemo(t: TestContext, name: string) {
  const { ctx, demo, drop } = await demoContext(name)
  t.after(drop)
  return { ctx, demo, ...(await salesIn(ctx)) }
}

async function salesIn(ctx: ReadContext) {
  const payments = await ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('environment', '=', 0)
    .orderBy('id')
    .execute()
  const subscriptions = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('environment', '=', 0)
    .orderBy('id')
    .execute()
  return { payments, subscriptions }
}

test('the demo has a live year in both products: each kind of payment, subscription and failure, and books that are right', async (t) => {
  const { ctx, demo, payments, subscriptions } = await withDemo(t, 'demo_year')
  for (const productId of [demo.productId, demo.otherProductId]) {
    const own = payments.filter((one) => one.product_id === productId)
    assert.ok(own.length > 30, `${own.length} payments`)
    for (const cycle of [0, 1, 12])
      assert.ok(
        own.some((one) => one.billing_cycle === cycle),
        `cycle ${cycle}`,
      )
    assert.ok(own.some((one) => one.is_renewal) && own.some((one) => one.type === 'refund'))
  }
  for (const type of ['disputed', 'won_dispute', 'lost_dispute'] as const) {
    assert.ok(
      payments.some((one) => one.type === type),
      type,
    )
  }
  const months = new Set(payments.map((one) => one.processed_at.slice(0, 7)))
  assert.ok(months.size >= 12, `${months.size} months with payments`)
  assert.ok(payments.some((one) => one.tax > 0) && new Set(payments.map((one) => one.country_code)).size > 5)
  const withSite = payments.filter((one) => one.install_id !== null && one.type === 'payment')
  assert.ok(withSite.length > payments.length / 3, `${withSite.length} of ${payments.length} on a site`)
  assert.ok(payments.every((one) => one.country_code !== null))
  const reasons = payments.filter((one) => one.type === 'refund').map((one) => one.refund_reason)
  assert.ok(new Set(reasons).size > 1, reasons.join())
  const isActive = ({ canceled_at: at }: { canceled_at: string | null }) => at === null
  assert.ok(
    subscriptions.filter(isActive).length > 15 && subscriptions.filter((one) => !isActive(one)).length > 5,
  )
  const { rows } = { rows: await ctx.db.selectFrom('events').select('type').distinct().execute() }
  const types = new Set(rows.map(({ type }) => type))
  for (const type of [
    'subscription.renewal.failed',
    'subscription.renewal.failed.last',
    'subscription.renewal.retry',
    'subscription.cancelled',
    'payment.refund',
  ])
    assert.ok(types.has(type), type)
  assert.equal((await checkLedger(ctx)).ok, true)
})

test('the sales are the same every time', async (t) => {
  const one = await withDemo(t, 'demo_year_one')
  const { ctx, drop } = await testContext('demo_year_two')
  t.after(drop)
  await fillDemo(ctx)
  const two = await salesIn(ctx)
  assert.deepEqual(two.payments, one.payments)
  assert.deepEqual(two.subscriptions, one.subscriptions)
})

test('the sales were paid elsewhere: none is charged, dunned, cancelled or told of here in the time that follows', async (t) => {
  const { ctx, subscriptions } = await withDemo(t, 'demo_year_later')
  const mails = () => ctx.db.selectFrom('mails').select(['kind', 'recipient']).orderBy('id').execute()
  const charges = () =>
    ctx.db.selectFrom('charges').select(['id', 'state']).where('environment', '=', 0).execute()
  const [before, declined] = [await mails(), await charges()]
  for (let day = 0; day < 60; day++) {
    ctx.clock.advance(DAY)
    await runDue(ctx, [renew])
  }
  const later = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('environment', '=', 0)
    .orderBy('id')
    .execute()
  assert.deepEqual(later, subscriptions)
  assert.deepEqual(await charges(), declined)
  assert.ok(declined.every(({ state }) => state === 'declined'))
  assert.deepEqual(await mails(), before)
})

test('every month of the last year has sales, recurring revenue that comes and goes, and figures that are right at once', async (t) => {
  const { ctx, demo, ask } = await startDemo(t, 'demo_figures')
  for (const productId of [demo.productId, demo.otherProductId]) {
    const base = `/developers/${demo.developerId}/products/${productId}`
    const read = async (path: string) => (await ask(base + path)) ?? assert.fail(path)
    const { earnings } = (await read('/figures/earnings.json')) as { earnings: Month[] }
    const { mrr } = (await read('/figures/mrr.json')) as { mrr: Month[] }
    const months = monthsOf(earnings)
    assert.equal(months.length, 12)
    assert.deepEqual(monthsOf(mrr), months)
    const sumOf = (rows: readonly Month[], name: string) =>
      rows.reduce((sum, row) => sum + Number(row[name]), 0)
    for (const month of months) {
      const within = (rows: readonly Month[]) => rows.filter((row) => row.month === month)
      for (const name of ['gross', 'fees', 'net'])
        assert.ok(sumOf(within(earnings), name) > 0, `${name} in ${month}`)
      for (const name of ['mrr', 'customers']) assert.ok(sumOf(within(mrr), name) > 0, `${name} in ${month}`)
    }
    for (const name of ['tax', 'refunds', 'disputes']) assert.ok(sumOf(earnings, name) > 0, name)
    for (const name of ['new', 'expansion', 'contraction', 'churned', 'customers_new', 'customers_lost'])
      assert.ok(sumOf(mrr, name) > 0, name)
    const product = await read('.json')
    for (const name of ['installs_count', 'active_installs_count', 'total_purchases', 'total_renewals'])
      assert.ok(Number(product[name]) > 10, name)
    assert.ok(Number(product['total_failed_purchases']) > 1, 'purchases that were declined')
    for (const name of ['total_subscriptions', 'earnings']) assert.ok(Number(product[name]) > 10, name)
  }
  assert.deepEqual(await wrongInstallCounts(ctx.db, 10), [])
  assert.deepEqual(await wrongSaleCounts(ctx.db, 10), [])
})

interface Month extends Readonly<Record<string, string | number | null>> {
  readonly month: string
}

const monthsOf = (rows: readonly Month[]) => [...new Set(rows.map(({ month }) => month))].toSorted()
