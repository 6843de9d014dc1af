import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp, type TestContext } from '../../test/app.ts'
import { asDeveloper } from '../../test/callers.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { anotherProcess, dyingProcess } from '../../test/dying.ts'
import { offerFor } from '../../test/licenses.ts'
import { boughtBy, leftOfPayment, payCheckout, reportOfTest, send, undoneOf } from '../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../test/sales.ts'
import { renewAt, subscribed } from '../../test/subscriptions.ts'
import { GatewayUnreachable, type Gateway } from '../gateways/gateway.ts'
import { settleRefunds } from '../jobs/settle-refunds.ts'
import { settleTaxes } from '../jobs/settle-taxes.ts'
import { runDue } from '../jobs/worker.ts'
import { MAX_CHECKS } from '../lib/tax-checks.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { vatIdRegister } from '../tax/vat-ids.ts'
import { recheckTaxes } from './credit-tax.ts'

const FRENCH = 'FR83404833048'

let app: TestApp
let pricingId: number
/** What the tax offices answer: whether they know the id; null: nothing. */
let office: boolean | null = null
/** The keys under which the gateway gave back. */
let given: string[] = []
let isLost = false
let isRefused = false

before(async () => {
  app = await startTestApp('credit_tax')
  const [inner] = app.ctx.gateways
  if (!inner) throw new Error('There is a test gateway.')
  const gateway: Gateway = {
    ...inner,
    async refund(request) {
      given.push(request.key)
      if (isRefused) return { outcome: 'refused', reason: 'refused', message: 'Not today.' }
      if (isLost) throw new GatewayUnreachable('Its answer is lost.')
      return inner.refund(request)
    },
  }
  const vatIds = vatIdRegister({
    async isKnown() {
      if (office === null) throw new Error('The office does not answer.')
      return office
    },
  })
  Object.assign(app.ctx, { gateways: [gateway], vatIds })
  const developer = await asDeveloper(app)
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  assert.ok((await developer('PUT', '/tax_settings.json', settings)).status < 300)
  pricingId = (await offerFor(app, 1)).pricingId
})
beforeEach(() => {
  app.ctx.clock.set(START)
  office = null
  given = []
  isLost = false
  isRefused = false
})
after(() => app.close())

let buyers = 0
/** What a business in France bought while nobody could check its VAT id. */
async function sold() {
  const email = `business${++buyers}@example.com`
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  const body = { country_code: 'fr', region: 'IDF', vat_id: FRENCH }
  const changed = await app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
  assert.equal(changed.status, 200, changed.text)
  return boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
}

async function taxOf({ id }: Pick<PaymentRow, 'id'>) {
  const { db } = app.ctx
  return db.selectFrom('provisional_taxes').selectAll().where('payment_id', '=', id).executeTakeFirstOrThrow()
}
const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** What is due of the job some time later. */
async function runAfter(ms: number, ctx: TestContext = app.ctx) {
  app.ctx.clock.advance(ms)
  await runDue(ctx, [settleTaxes])
}

test('a tax that was charged as nobody could check the VAT id is given back once when it is found, in any number of processes', async () => {
  const { payment, subscriptionId, licenseId } = await sold()
  assert.deepEqual([payment.tax > 0, payment.region, payment.tax_rule], [true, 'IDF', 'destination'])
  await runAfter(HOUR)
  assert.deepEqual(await undoneOf(app, payment), [], 'the office does not answer')
  office = true
  const other = anotherProcess(app)
  app.ctx.clock.advance(2 * HOUR)
  try {
    await Promise.all([runAfter(0), runAfter(0, other.ctx), runAfter(0), runAfter(0, other.ctx)])
  } finally {
    await other.close()
  }
  await runAfter(DAY)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  assert.deepEqual(given, [`tax:${payment.id}`])
  const refund = await app.ctx.db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.payment_id', 'payments.id')
    .select(['gross', 'tax', 'tax_rule', 'kind'])
    .where('bound_payment_id', '=', payment.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(refund, { gross: 0, tax: -payment.tax, tax_rule: 'reverse_charge', kind: 'credit_note' })
  const { canceled_at, tax_rate } = await subscriptionOf(subscriptionId)
  assert.deepEqual([canceled_at, tax_rate, (await taxOf(payment)).state], [null, 0, 'credited'])
  const license = app.ctx.db.selectFrom('licenses').select('is_cancelled').where('id', '=', licenseId)
  assert.equal((await license.executeTakeFirstOrThrow()).is_cancelled, 0)
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
  office = true
  await runAfter(2 * HOUR)
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
  const [unknown, unchecked] = [(await sold()).payment, (await sold()).payment]
  office = false
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('provisional_taxes')
      .set({ due_at: START + 30 * DAY })
      .where('payment_id', '=', unchecked.id)
      .execute(),
  )
  await runAfter(HOUR)
  assert.equal((await taxOf(unknown)).state, 'kept')
  office = null
  app.ctx.clock.set(START + 30 * DAY)
  let checks = 0
  while ((await taxOf(unchecked)).state === 'waiting') {
    checks++
    const { due_at: due } = await taxOf(unchecked)
    app.ctx.clock.set(due ?? 0)
    await runDue(app.ctx, [settleTaxes])
  }
  assert.equal(checks, MAX_CHECKS)
  office = true
  await runAfter(30 * DAY)
  for (const payment of [unknown, unchecked]) assert.deepEqual(await undoneOf(app, payment), [])
})

test('of a payment that was given back meanwhile nothing more is given back', async () => {
  const { payment } = await sold()
  const developer = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  assert.equal((await developer('POST', path, {})).status, 201)
  office = true
  await runAfter(HOUR)
  assert.equal((await taxOf(payment)).state, 'kept')
  assert.equal((await undoneOf(app, payment)).length, 1)
})

test('the tax of a payment that is disputed is given back once the dispute is won', async () => {
  const { payment } = await sold()
  const chargeId = payment.external_id ?? ''
  const dispute = { type: 'dispute', id: 'dp_tax', at: START, chargeId, fee: 0 } as const
  const minor = payment.gross + payment.tax
  const told = (state: 'open' | 'won') =>
    send(app, 'test', reportOfTest(app, { ...dispute, id: `dp_tax_${state}`, state, minor }))
  assert.equal((await told('open')).status, 200)
  office = true
  await runAfter(2 * HOUR)
  assert.deepEqual([(await taxOf(payment)).state, given], ['waiting', []])
  assert.equal((await told('won')).status, 200)
  await runAfter(HOUR)
  assert.deepEqual([(await taxOf(payment)).state, given], ['credited', [`tax:${payment.id}`]])
  assert.equal(await leftOfPayment(app, payment), payment.gross)
})

test('the tax of a payment whose refund is not answered is left alone until it is', async () => {
  const { payment } = await sold()
  const developer = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  isLost = true
  await developer('POST', path, { amount: 1 })
  isLost = false
  office = true
  given = []
  await runAfter(2 * HOUR)
  assert.deepEqual([(await taxOf(payment)).state, given], ['waiting', []])
  await runDue(app.ctx, [settleRefunds])
  await runAfter(HOUR)
  assert.equal((await taxOf(payment)).state, 'credited')
})

test('R04: a process that ends before any statement of it, or before the gateway answered, credits the tax once', async () => {
  for (let n = 1, isWhole = false; !isWhole; n++) {
    app.ctx.clock.set(START + n * DAY)
    office = null
    const { payment } = await sold()
    given = []
    office = true
    app.ctx.clock.advance(HOUR)
    const dying = dyingProcess(app, n)
    await recheckTaxes(dying.ctx, 10).catch(() => {})
    isWhole = !dying.isDead()
    await dying.close()
    app.ctx.clock.advance(HOUR)
    await runDue(app.ctx, [settleTaxes, settleRefunds])
    assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]], `before statement ${n}`)
    assert.deepEqual([...new Set(given)], [`tax:${payment.id}`])
    assert.equal(await leftOfPayment(app, payment), payment.gross)
  }
  const { payment } = await (async () => {
    office = null
    return sold()
  })()
  office = true
  isLost = true
  await runAfter(HOUR)
  isLost = false
  given = []
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  assert.deepEqual([given, await ledgerFaults(app)], [[`tax:${payment.id}`], []])
})

test('a tax that its gateway refuses to give back is given back when it is asked again the next day', async () => {
  const { payment } = await sold()
  office = true
  isRefused = true
  await runAfter(2 * HOUR)
  assert.deepEqual([given.length, await undoneOf(app, payment)], [1, []])
  await runAfter(2 * HOUR)
  assert.equal(given.length, 1)
  isRefused = false
  for (let times = 0; times < 3; times++) await runAfter(DAY)
  assert.deepEqual(given, [`tax:${payment.id}`, `tax:${payment.id}:2`])
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  assert.equal((await taxOf(payment)).state, 'credited')
  assert.deepEqual(await ledgerFaults(app), [])
})
