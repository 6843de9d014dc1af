import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { chargedInSandbox, ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { transaction } from '../../context.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { testGateway } from '../../gateways/test/gateway.ts'
import { settleRefunds } from './settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR } from '../../lib/time.ts'
import { openDispute, settleDispute } from './disputes.ts'
import { migratePayment } from '../migration/migrate-payment.ts'
import { beginRefund, settleRefund } from './refund-payment.ts'

let app: TestApp
/** The keys of what the gateway gave back. */
let given = new Set<string>()
/** Breaks the process off at its gateway. */
let dies: 'before the gateway' | 'after the gateway' | null = null

const inner = testGateway({ webhookSecret: 'crash' })
const gateway: Gateway = {
  ...inner,
  async refund(request) {
    if (dies === 'before the gateway') throw new Error('the process is dead')
    given.add(request.key)
    const outcome = await inner.refund(request)
    if (dies === 'after the gateway') throw new Error('the process is dead')
    return outcome
  },
}

before(async () => {
  app = await startTestApp('refund_crash')
  Object.assign(app.ctx, { gateways: [gateway] })
})
after(() => app.close())

async function sold() {
  const payment = await chargedInSandbox()
  return sell(app, { payment, subscription: { gateway: 'test', environment: 1 } })
}

/** All of a refund, as an operation makes it. */
async function refund(ctx: TestApp['ctx'], id: number): Promise<void> {
  const begun = await beginRefund(ctx, scopeOf(app), id, {})
  await transaction(ctx, (tx) => settleRefund(tx, scopeOf(app), { id, input: {}, begun }))
}

/** What a payment comes to once the job has ended what was left: refunds, what was asked for, cancelled, told. */
async function endOf({ payment, subscription }: Awaited<ReturnType<typeof sold>>) {
  dies = null
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [settleRefunds])
  const { db } = app.ctx
  const refunds = await db
    .selectFrom('payments')
    .select(['gross', 'tax'])
    .where('bound_payment_id', '=', payment.id)
    .execute()
  const row = await db
    .selectFrom('payments')
    .select(['refunded_gross', 'refunded_tax'])
    .where('id', '=', payment.id)
    .executeTakeFirstOrThrow()
  const { canceled_at } = await db
    .selectFrom('subscriptions')
    .select('canceled_at')
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  const events = await db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'payment.refund')
    .where('data', 'like', `%"bound_payment_id":"${payment.id}"%`)
    .execute()
  const { refunded_gross: gross, refunded_tax: tax } = row
  return { refunds, gross, tax, isCancelled: canceled_at !== null, events: events.length, given: given.size }
}

const NOTHING = { refunds: [], gross: 0, tax: 0, isCancelled: false, events: 0, given: 0 }
const ALL = {
  refunds: [{ gross: -4999, tax: -1000 }],
  gross: 4999,
  tax: 1000,
  isCancelled: true,
  events: 1,
  given: 1,
}

test('R04: a process that dies at any statement of a refund gives back all of it once, or nothing', async () => {
  let isRefunded = 0
  for (let n = 1; ; n++) {
    given = new Set()
    const sale = await sold()
    const dying = dyingProcess(app, n)
    const error = await refund(dying.ctx, sale.payment.id).then(() => null, String)
    const isDead = dying.isDead()
    await dying.close()
    const end = await endOf(sale)
    assert.deepEqual(end, end.given === 0 ? NOTHING : ALL, `before statement ${n}: ${error}`)
    if (end.given === 1) isRefunded++
    if (!isDead) break
    assert.ok(n < 200)
  }
  assert.ok(isRefunded > 3, `${isRefunded} of the cuts came after the gateway was asked`)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('R04: one that dies before or after its gateway is asked gives back all of it once', async () => {
  for (const place of ['before the gateway', 'after the gateway'] as const) {
    given = new Set()
    const sale = await sold()
    dies = place
    await assert.rejects(refund(app.ctx, sale.payment.id), /dead/)
    assert.deepEqual(await endOf(sale), ALL, place)
  }
})

test('R04: a payment made elsewhere, and each step of a dispute, leave all of it or nothing', async () => {
  const scope = scopeOf(app)
  const migrated = await sell(app)
  await app.recorded()
  const payment = await cutEverywhere(app, 'fails', (tx) =>
    migratePayment(tx, scope, migrated.subscription.id, {
      vat: 1,
      gateway_fee: 1,
      is_extend_license: true,
      is_migration: false,
    }),
  )
  for (const table of ['payments', 'postings', 'subscriptions', 'licenses', 'events', 'product_users']) {
    assert.ok(payment.includes(table), table)
  }
  const disputed = await sell(app)
  const paymentId = disputed.payment.id
  await cutEverywhere(app, 'fails', (tx) => openDispute(tx, scope, { paymentId, minor: 5999, fee: 100 }))
  const lost = await cutEverywhere(app, 'fails', (tx) =>
    settleDispute(tx, scope, { paymentId, isWon: false }),
  )
  for (const table of ['payments', 'postings', 'subscriptions', 'licenses', 'events']) {
    assert.ok(lost.includes(table), table)
  }
  assert.deepEqual(await ledgerFaults(app), [])
})
