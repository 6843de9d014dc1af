import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { overTestGateway } from '../../../test/charges.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { offerFor } from '../../../test/licenses.ts'
import { boughtBy, buy, leftOfPayment, reportOfTest, send, undoneOf } from '../../../test/reports.ts'
import { eventsAbout, ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { GatewayUnreachable, type GatewayEvent } from '../../gateways/gateway.ts'
import { settleRefunds } from './settle-refunds-job.ts'
import { settleReports } from '../charges/settle-reports-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { failRefund } from './fail-refund.ts'

let app: TestApp
let developer: CallAs
let pricingId: number
/** Gives back what it is asked for, and its answer is lost. */
let isLost = false
before(async () => {
  app = await startTestApp('fail_refund')
  overTestGateway(app, (inner) => ({
    async refund(request) {
      const outcome = await inner.refund(request)
      if (isLost) throw new GatewayUnreachable('Its answer is lost.')
      return outcome
    },
  }))
  developer = await asDeveloper(app)
  pricingId = (await offerFor(app, 1)).pricingId
})
after(() => app.close())

const sold = async (method = 'test_refund_pending') =>
  boughtBy(app, (await buy(app, pricingId, method)).reply)
const refund = (id: number, body: object = {}) =>
  developer('POST', `/products/${app.seller.product.id}/payments/${id}/refunds.json`, body)

let events = 0
type Told = Pick<Extract<GatewayEvent, { type: 'refund' }>, 'refundId' | 'minor' | 'state'>
async function tell({ external_id: chargeId }: PaymentRow, told: Told, id = `r${++events}`): Promise<void> {
  const event = { type: 'refund', id, at: app.ctx.clock.real(), chargeId: chargeId ?? '', ...told } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
}
const totalOf = ({ gross, tax }: PaymentRow) => gross + tax
const licenseOf = (id: number) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a refund that fails after all is booked back once, and can be made again; license and subscription stay ended', async () => {
  const { payment, licenseId, subscriptionId } = await sold()
  const { json } = await refund(payment.id)
  assert.equal(await leftOfPayment(app, payment), 0)
  const failed = { refundId: json.external_id, minor: totalOf(payment), state: 'failed' } as const
  await Promise.all([tell(payment, failed, 'same'), tell(payment, failed, 'same'), tell(payment, failed)])
  await tell(payment, failed)
  const back = [
    ['refund', -totalOf(payment)],
    ['refund', totalOf(payment)],
  ]
  assert.deepEqual(await undoneOf(app, payment), back)
  assert.equal(await leftOfPayment(app, payment), totalOf(payment))
  assert.deepEqual(await eventsAbout(app, 'bound_payment_id', payment.id), [
    'payment.refund',
    'payment.refund',
  ])
  assert.equal((await licenseOf(licenseId)).is_cancelled, true)
  const { canceled_at, total_gross } = await app.ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  assert.deepEqual([canceled_at !== null, total_gross], [true, totalOf(payment)])
  assert.deepEqual(await ledgerFaults(app), [])
  assert.equal((await refund(payment.id)).status, 201)
  assert.equal(await leftOfPayment(app, payment), 0)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a refund that failed has a credit note and after it an invoice, each with the amounts of the refund', async () => {
  const { payment } = await sold()
  const { json } = await refund(payment.id, { amount: 5 })
  await tell(payment, { refundId: json.external_id, minor: 500, state: 'failed' })
  const kinds = await app.ctx.db
    .selectFrom('invoices')
    .innerJoin('payments', 'payments.id', 'invoices.payment_id')
    .select('kind')
    .where('bound_payment_id', '=', payment.id)
    .orderBy('payments.id')
    .execute()
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['credit_note', 'invoice'],
  )
})

test('R04: a refund that is booked back is so as a whole or not at all', async () => {
  const { payment } = await sold()
  const { json } = await refund(payment.id, { amount: 5 })
  await app.recorded()
  const { db } = app.ctx
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', Number(json.id))
    .executeTakeFirstOrThrow()
  const tables = await cutEverywhere(app, 'fails', (tx) =>
    failRefund(tx, scopeOf(app), { payment, refund: row }),
  )
  for (const table of ['payments', 'postings', 'events', 'invoices']) assert.ok(tables.includes(table), table)
  assert.equal(await leftOfPayment(app, payment), totalOf(payment))
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a refund that is reported as made after it was reported as failed is not written down', async () => {
  const { payment } = await sold()
  const made = { refundId: 'made-elsewhere', minor: 500 }
  await tell(payment, { ...made, state: 'failed' })
  await tell(payment, { ...made, state: 'refunded' })
  assert.deepEqual(await undoneOf(app, payment), [])
})

test('a refund of ours that is reported before its answer came is written down once', async () => {
  const { payment } = await sold()
  isLost = true
  assert.equal((await refund(payment.id, { amount: 5 })).status, 503)
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
  isLost = false
  const { key } = await app.ctx.db
    .selectFrom('charges')
    .select('key')
    .where('payment_id', '=', payment.id)
    .executeTakeFirstOrThrow()
  const amount = { minor: 500, currency: payment.currency }
  const outcome = await app.ctx.gateways[0]?.refund({ key, chargeId: payment.external_id ?? '', amount })
  assert.ok(outcome && outcome.outcome !== 'refused')
  await tell(payment, { refundId: outcome.externalId, minor: 500, state: 'refunded' })
  assert.deepEqual(await undoneOf(app, payment), [], 'it waits for the answer')
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleReports, settleRefunds])
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleReports])
  assert.deepEqual(await undoneOf(app, payment), [['refund', -500]])
})

test('a refund that is reported as failed under the charge of another payment changes neither', async () => {
  const [one, other] = [(await sold()).payment, (await sold()).payment]
  const { json } = await refund(other.id)
  await tell(one, { refundId: json.external_id, minor: totalOf(other), state: 'failed' })
  assert.deepEqual(await undoneOf(app, one), [])
  assert.deepEqual(await undoneOf(app, other), [['refund', -totalOf(other)]])
})

test('a refund that got no answer is asked for again when another of its payment is reported, and no other payment', async () => {
  const [one, other] = [(await sold()).payment, (await sold()).payment]
  isLost = true
  for (const { id } of [one, other]) assert.equal((await refund(id, { amount: 5 })).status, 503)
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
  isLost = false
  await tell(one, { refundId: `by-hand-${one.id}`, minor: 300, state: 'refunded' })
  app.ctx.clock.advance(MINUTE)
  await runDue(app.ctx, [settleRefunds])
  assert.deepEqual([await undoneOf(app, one), await undoneOf(app, other)], [[['refund', -500]], []])
})

test('a dispute that is reported while a refund is under way takes what is left when the refund is decided', async () => {
  const { payment } = await sold('test_refund_refused')
  isLost = true
  assert.equal((await refund(payment.id)).status, 503)
  isLost = false
  const total = totalOf(payment)
  const about = { at: app.ctx.clock.real(), chargeId: payment.external_id ?? '', minor: total, fee: 0 }
  const event = { type: 'dispute', id: 'while refunding', state: 'open', ...about } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
  assert.deepEqual(await undoneOf(app, payment), [])
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleReports])
  assert.deepEqual(await undoneOf(app, payment), [['disputed', -total]])
})

test('R02: refunds of a payment at once, by the seller and at the gateway, are never more than it', async () => {
  const { payment } = await sold('test_succeeds')
  const total = totalOf(payment)
  const part = Math.floor(total / 4)
  const asked = Array.from({ length: 8 }, () => refund(payment.id, { amount: part / 100 }))
  const told = Array.from({ length: 3 }, (_, n) =>
    tell(payment, { refundId: `elsewhere-${payment.id}-${n}`, minor: part, state: 'refunded' }),
  )
  await Promise.all([...asked, ...told])
  for (let times = 0; times < 3; times++) {
    app.ctx.clock.advance(2 * MINUTE)
    await runDue(app.ctx, [settleRefunds, settleReports])
  }
  const given = (await undoneOf(app, payment)).reduce((sum, [, amount]) => sum + Number(amount), 0)
  assert.equal(await leftOfPayment(app, payment), total + given)
  assert.ok(given < 0 && total + given >= 0 && total + given < part, `${given} of ${total}`)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('R02: a dispute and refunds at once take no more than the payment, and settle to the cent', async () => {
  for (const state of ['lost', 'won'] as const) {
    const { payment } = await sold('test_succeeds')
    const total = totalOf(payment)
    const dispute = {
      type: 'dispute',
      at: app.ctx.clock.real(),
      chargeId: payment.external_id ?? '',
      minor: total,
      fee: 1_500,
    } as const
    const report = (id: string, of: 'open' | 'won' | 'lost') =>
      send(app, 'test', reportOfTest(app, { ...dispute, id: `${id}-${payment.id}`, state: of }))
    await Promise.all([
      refund(payment.id, { amount: 5 }),
      report('opened', 'open'),
      refund(payment.id),
      report('closed', state),
      refund(payment.id, { amount: 7 }),
    ])
    for (let times = 0; times < 3; times++) {
      app.ctx.clock.advance(2 * MINUTE)
      await runDue(app.ctx, [settleRefunds, settleReports])
    }
    const undone = await undoneOf(app, payment)
    const kinds = undone.map(([type]) => type).filter((type) => type !== 'refund')
    assert.deepEqual(kinds, ['disputed', `${state}_dispute`])
    const moved = undone.reduce((sum, [, amount]) => sum + Number(amount), 0)
    assert.equal(await leftOfPayment(app, payment), total + moved)
    assert.ok(total + moved >= 0)
    assert.deepEqual(await ledgerFaults(app), [])
  }
})
