import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, type TestApp } from '../../../test/app.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { FRENCH, provisionalShop } from '../../../test/provisional-taxes.ts'
import { leftOfPayment, reportOfTest, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleTaxes } from './settle-taxes-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MAX_CHECKS } from './tax-checks.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { recheckTaxes } from './credit-tax.ts'

let shop: Awaited<ReturnType<typeof provisionalShop>>
let app: TestApp
before(async () => {
  shop = await provisionalShop('credit_tax')
  app = shop.app
})
beforeEach(() => shop.reset())
after(() => app.close())

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a tax that was charged as nobody could check the VAT id is given back once when it is found, in any number of processes', async () => {
  const { payment, subscriptionId, licenseId } = await shop.sold()
  assert.deepEqual([payment.tax > 0, payment.region, payment.tax_rule], [true, 'IDF', 'destination'])
  await shop.runAfter(HOUR)
  assert.deepEqual(await undoneOf(app, payment), [], 'the office does not answer')
  shop.others.office = true
  const other = anotherProcess(app)
  app.ctx.clock.advance(2 * HOUR)
  try {
    await Promise.all([
      shop.runAfter(0),
      shop.runAfter(0, other.ctx),
      shop.runAfter(0),
      shop.runAfter(0, other.ctx),
    ])
  } finally {
    await other.close()
  }
  await shop.runAfter(DAY)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  assert.deepEqual(shop.others.given, [`tax:${payment.id}`])
  const refund = await app.ctx.db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.payment_id', 'payments.id')
    .select(['gross', 'tax', 'tax_rule', 'kind'])
    .where('bound_payment_id', '=', payment.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(refund, { gross: 0, tax: -payment.tax, tax_rule: 'reverse_charge', kind: 'credit_note' })
  const { canceled_at, tax_rate } = await subscriptionOf(subscriptionId)
  assert.deepEqual([canceled_at, tax_rate, (await shop.taxOf(payment)).state], [null, 0, 'credited'])
  const license = app.ctx.db.selectFrom('licenses').select('is_cancelled').where('id', '=', licenseId)
  assert.equal((await license.executeTakeFirstOrThrow()).is_cancelled, false)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal is taxed provisionally too, credited when the id is found, and the next one reverse charged', async () => {
  const more = { country_code: 'FR', vat_id: FRENCH, tax_rate: 200_000 }
  const { subscription, next } = await subscribed(app, { more })
  const renew = async (time: typeof next) => {
    await renewAt(app, time)
    const rows = app.ctx.db.selectFrom('payments').selectAll().where('subscription_id', '=', subscription.id)
    return rows.where('type', '=', 'payment').orderBy('id').execute()
  }
  const [first] = await renew(next)
  assert.ok(first)
  assert.deepEqual([first.gross, first.tax], [1_000, 200])
  shop.others.office = true
  await shop.runAfter(2 * HOUR)
  assert.deepEqual(await undoneOf(app, first), [['refund', -200]])
  const { next_payment: second } = await subscriptionOf(subscription.id)
  const payments = await renew(second ?? next)
  assert.deepEqual(
    payments.map(({ tax, tax_rule }) => [tax, tax_rule]),
    [
      [200, 'destination'],
      [0, 'reverse_charge'],
    ],
  )
})

test('an id that is not found, and one that nobody can check for a month, keep their tax', async () => {
  const [unknown, unchecked] = [(await shop.sold()).payment, (await shop.sold()).payment]
  shop.others.office = false
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('provisional_taxes')
      .set({ due_at: app.ctx.clock.real() + DAY })
      .where('payment_id', '=', unchecked.id)
      .execute(),
  )
  await shop.runAfter(HOUR)
  assert.equal((await shop.taxOf(unknown)).state, 'kept')
  shop.others.office = null
  let checks = 0
  while ((await shop.taxOf(unchecked)).state === 'waiting') {
    checks++
    const { due_at: due } = await shop.taxOf(unchecked)
    app.ctx.clock.set(due ?? 0)
    await runDue(app.ctx, [settleTaxes])
  }
  assert.equal(checks, MAX_CHECKS)
  shop.others.office = true
  await shop.runAfter(30 * DAY)
  for (const payment of [unknown, unchecked]) assert.deepEqual(await undoneOf(app, payment), [])
})

test('of a payment that was given back meanwhile nothing more is given back', async () => {
  const { payment } = await shop.sold()
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  assert.equal((await shop.developer('POST', path, {})).status, 201)
  shop.others.office = true
  await shop.runAfter(HOUR)
  assert.equal((await shop.taxOf(payment)).state, 'kept')
  assert.equal((await undoneOf(app, payment)).length, 1)
})

test('the tax of a payment that is disputed is given back once the dispute is won', async () => {
  const { payment } = await shop.sold()
  const chargeId = payment.external_id ?? ''
  const dispute = { type: 'dispute', id: 'dp_tax', at: START, chargeId, fee: 0 } as const
  const minor = payment.gross + payment.tax
  const told = (state: 'open' | 'won') =>
    send(app, 'test', reportOfTest(app, { ...dispute, id: `dp_tax_${state}`, state, minor }))
  assert.equal((await told('open')).status, 200)
  shop.others.office = true
  await shop.runAfter(2 * HOUR)
  assert.deepEqual([(await shop.taxOf(payment)).state, shop.others.given], ['waiting', []])
  assert.equal((await told('won')).status, 200)
  await shop.runAfter(HOUR)
  assert.deepEqual(
    [(await shop.taxOf(payment)).state, shop.others.given],
    ['credited', [`tax:${payment.id}`]],
  )
  assert.equal(await leftOfPayment(app, payment), payment.gross)
})

test('the tax of a payment whose refund is not answered is left alone until it is', async () => {
  const { payment } = await shop.sold()
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  shop.others.isLost = true
  await shop.developer('POST', path, { amount: 1 })
  shop.others.isLost = false
  shop.others.office = true
  shop.others.given = []
  await shop.runAfter(2 * HOUR)
  assert.deepEqual([(await shop.taxOf(payment)).state, shop.others.given], ['waiting', []])
  await runDue(app.ctx, [settleRefunds])
  await shop.runAfter(HOUR)
  assert.equal((await shop.taxOf(payment)).state, 'credited')
})

test('R04: a process that ends before any statement of it, or before the gateway answered, credits the tax once', async () => {
  for (let n = 1, isWhole = false; !isWhole; n++) {
    app.ctx.clock.set(START + n * DAY)
    shop.others.office = null
    const { payment } = await shop.sold()
    shop.others.given = []
    shop.others.office = true
    app.ctx.clock.advance(HOUR)
    const dying = dyingProcess(app, n)
    await recheckTaxes(dying.ctx, 10).catch(() => {})
    isWhole = !dying.isDead()
    await dying.close()
    app.ctx.clock.advance(HOUR)
    await runDue(app.ctx, [settleTaxes, settleRefunds])
    assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]], `before statement ${n}`)
    assert.deepEqual([...new Set(shop.others.given)], [`tax:${payment.id}`])
    assert.equal(await leftOfPayment(app, payment), payment.gross)
  }
  const { payment } = await (async () => {
    shop.others.office = null
    return shop.sold()
  })()
  shop.others.office = true
  shop.others.isLost = true
  await shop.runAfter(HOUR)
  shop.others.isLost = false
  shop.others.given = []
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  await shop.runAfter(DAY)
  assert.equal((await shop.taxOf(payment)).state, 'credited')
  assert.deepEqual([shop.others.given, await ledgerFaults(app)], [[`tax:${payment.id}`], []])
})

test('a tax is given back while a refund of another payment is not answered', async () => {
  const [{ payment }, other] = [await shop.sold(), await shop.sold()]
  shop.others.isLost = true
  const path = `/products/${app.seller.product.id}/payments/${other.payment.id}/refunds.json`
  assert.equal((await shop.developer('POST', path, { amount: 1 })).status, 503)
  shop.others.isLost = false
  shop.others.office = true
  await shop.runAfter(2 * HOUR)
  assert.equal((await shop.taxOf(payment)).state, 'credited')
})
