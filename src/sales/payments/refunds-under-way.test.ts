import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { offerFor } from '../../../test/licenses.ts'
import { boughtBy, buy, leftOfPayment, send, undoneOf } from '../../../test/reports.ts'
import { chargedInSandbox, eventsAbout, ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { beginRefund, settleRefund, takeOwed } from '../refunds/refund-payment.ts'
import { GatewayUnreachable, type Gateway, type GatewayEvent } from '../../gateways/gateway.ts'
import { testGateway } from '../../gateways/test/gateway.ts'
import { idOf } from '../../gateways/test/ids.ts'
import { testWebhook } from '../../../test/test-webhook.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleReports } from '../charges/settle-reports-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR } from '../../lib/time.ts'

let app: TestApp
let developer: CallAs
type Answer = 'made' | 'none' | 'refused'
/** What the gateway says of refunds. */
let answer: Answer = 'made'
/** Amounts of which it says the same whatever else it answers. */
const answers = new Map<number, Answer>()
/** How often it was asked for a refund of an amount. */
const asked = new Map<number, number>()
/** What happens while it is asked for a refund of an amount. */
let meanwhile: { readonly minor: number; readonly work: () => Promise<unknown> } | null = null

const SECRET = 'under way'
const inner = testGateway({ webhookSecret: SECRET })
const gateway: Gateway = {
  ...inner,
  async refund(request) {
    if (meanwhile?.minor === request.amount.minor) await meanwhile.work()
    const { minor } = request.amount
    asked.set(minor, (asked.get(minor) ?? 0) + 1)
    const mine = answers.get(minor) ?? answer
    if (mine === 'none') throw new GatewayUnreachable('It does not answer.')
    if (mine === 'refused') return { outcome: 'refused', reason: 'refused', message: 'No.' }
    return inner.refund(request)
  },
}

before(async () => {
  app = await startTestApp('refunds_under_way')
  Object.assign(app.ctx, { gateways: [gateway] })
})
beforeEach(async () => {
  app.ctx.clock.set(Math.max(START, app.ctx.clock.real()))
  developer = await asDeveloper(app)
  answer = 'made'
  meanwhile = null
  answers.clear()
  asked.clear()
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const refund = (id: number, body: object = {}) =>
  developer('POST', path(`/payments/${id}/refunds.json`), body)

async function sold() {
  const payment = await chargedInSandbox()
  return sell(app, { payment, subscription: { gateway: 'test', environment: 1 } })
}
type Sold = Awaited<ReturnType<typeof sold>>

/** Whether license and subscription are cancelled. */
async function endOf({ license, subscription }: Sold) {
  const get = async (rest: string) => (await app.call('GET', path(rest))).json
  const { is_cancelled: isCancelled } = await get(`/licenses/${license.id}.json`)
  const { canceled_at: at } = await get(`/subscriptions/${subscription.id}.json`)
  return [isCancelled, at !== null]
}

/** A payment of which a part is under way that got no answer, and all the rest is given back. */
async function partUnderWay(part: object = {}, rest: object = {}) {
  const one = await sold()
  answer = 'none'
  assert.equal((await refund(one.payment.id, { amount: 20, ...part })).status, 503)
  answer = 'made'
  assert.equal((await refund(one.payment.id, rest)).status, 201)
  return one
}

/** What was bought in the sandbox, and what it cost with tax. */
async function bought() {
  const { pricingId } = await offerFor(app, 1)
  const { payment } = await boughtBy(app, (await buy(app, pricingId, 'test_succeeds')).reply)
  return { payment, total: payment.gross + payment.tax, chargeId: payment.external_id ?? '' }
}

/** Parts of a payment that its buyer is owed. */
const owe = (id: number, ...amounts: readonly number[]) =>
  app.write(async (tx) => {
    for (const amount of amounts) await takeOwed(tx, scopeOf(app), id, { amount })
  })

async function tell(event: GatewayEvent): Promise<void> {
  const report = testWebhook(SECRET, { event, now: app.ctx.clock.real() })
  assert.equal((await send(app, 'test', report)).status, 200)
}

async function settleLater(): Promise<void> {
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [settleRefunds])
}

test('while a part is under way that the gateway may refuse, all of the rest cancels nothing', async () => {
  const one = await partUnderWay()
  assert.deepEqual(await endOf(one), [false, false])
  answer = 'refused'
  await settleLater()
  assert.deepEqual(await endOf(one), [false, false])
  answer = 'made'
  assert.equal((await refund(one.payment.id)).json.gross, -16.67)
  assert.deepEqual(await endOf(one), [true, true])
})

test('the part that was under way cancels license and subscription when it is made last', async () => {
  const one = await partUnderWay()
  await settleLater()
  assert.deepEqual(await endOf(one), [true, true])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('what is under way and is to cancel nothing is not waited for, and what the caller says goes first', async () => {
  assert.deepEqual(await endOf(await partUnderWay({ cancel_license: false, cancel_subscription: false })), [
    true,
    true,
  ])
  assert.deepEqual(await endOf(await partUnderWay({}, { cancel_license: true })), [true, true])
  assert.deepEqual(await endOf(await partUnderWay({}, { cancel_subscription: true })), [false, true])
})

test('of two refunds that are made at once, and are all together, one cancels', async () => {
  for (let round = 0; round < 5; round++) {
    const one = await sold()
    const { id } = one.payment
    const inputs = [{ amount: 20 }, { amount: 39.99 }]
    const begun = await Promise.all(inputs.map((input) => beginRefund(app.ctx, scopeOf(app), id, input)))
    await Promise.all(
      inputs.map((input, n) =>
        app.write((tx) => settleRefund(tx, scopeOf(app), { id, input, begun: begun[n] ?? null })),
      ),
    )
    assert.deepEqual(await endOf(one), [true, true], `round ${round}`)
    const told = await eventsAbout(app, 'license_id', one.license.id)
    assert.equal(told.filter((type) => type === 'license.cancelled').length, 1)
  }
})

test('a dispute that is reported while a refund is under way is kept until that is answered, also after days', async () => {
  const { payment, total: minor, chargeId } = await bought()
  answer = 'none'
  assert.equal((await refund(payment.id, { amount: 1 })).status, 503)
  const at = app.ctx.clock.real()
  await tell({ type: 'dispute', id: 'dp_later', at, chargeId, state: 'open', minor, fee: 0 })
  for (let day = 0; day < 5; day++) {
    app.ctx.clock.advance(DAY)
    await runDue(app.ctx, [settleReports])
  }
  answer = 'made'
  await settleLater()
  await runDue(app.ctx, [settleReports])
  assert.deepEqual(await undoneOf(app, payment), [
    ['refund', -100],
    ['disputed', 100 - minor],
  ])
})

test('what is owed and has failed is owed beside a refund of the same amount that its seller asks for', async () => {
  const { payment, total, chargeId } = await bought()
  await owe(payment.id, 5)
  await settleLater()
  const { external_id: refundId } = await app.ctx.db
    .selectFrom('payments')
    .select('external_id')
    .where('bound_payment_id', '=', payment.id)
    .executeTakeFirstOrThrow()
  answer = 'none'
  assert.equal((await refund(payment.id, { amount: 5 })).status, 503)
  const about = { id: 'owed_failed', at: app.ctx.clock.real(), chargeId, refundId: refundId ?? '' }
  await tell({ type: 'refund', ...about, minor: 500, state: 'failed' })
  assert.equal(await leftOfPayment(app, payment), total - 1_000)
  answer = 'made'
  await settleLater()
  app.ctx.clock.advance(DAY)
  await settleLater()
  const amounts = (await undoneOf(app, payment)).map(([, amount]) => amount)
  assert.deepEqual(amounts, [-500, 500, -500, -500])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a refund that its seller asks for is made beside what is owed and of the same amount', async () => {
  const { payment, total } = await bought()
  await owe(payment.id, 5)
  app.ctx.clock.advance(HOUR)
  assert.equal((await refund(payment.id, { amount: 5 })).status, 201)
  await settleLater()
  assert.deepEqual(await undoneOf(app, payment), [
    ['refund', -500],
    ['refund', -500],
  ])
  assert.equal(await leftOfPayment(app, payment), total - 1_000)
})

test('what is reported of a payment waits whole while one of what is owed of it is asked for and another rests', async () => {
  const { payment, total, chargeId } = await bought()
  await owe(payment.id, 5, 3)
  answer = 'refused'
  await settleLater()
  const dispute = { type: 'dispute', state: 'open', chargeId, minor: total, fee: 0 } as const
  let seen: unknown
  const work = async () => {
    await tell({ ...dispute, id: 'dp_half', at: app.ctx.clock.real() })
    seen = [await leftOfPayment(app, payment), await undoneOf(app, payment)]
  }
  meanwhile = { minor: 300, work }
  app.ctx.clock.advance(DAY)
  await runDue(app.ctx, [settleRefunds])
  assert.deepEqual(seen, [total - 800, []])
  meanwhile = null
  answer = 'made'
  app.ctx.clock.advance(DAY)
  await runDue(app.ctx, [settleRefunds])
  await runDue(app.ctx, [settleReports])
  assert.deepEqual(await undoneOf(app, payment), [
    ['refund', -500],
    ['refund', -300],
    ['disputed', 800 - total],
  ])
})

test('what rests is not asked for by a report that waits for another one, however often that is looked at', async () => {
  const { payment, chargeId } = await bought()
  await owe(payment.id, 5, 3)
  answers.set(500, 'refused').set(300, 'none')
  await settleLater()
  const about = { id: 'by_hand_later', at: app.ctx.clock.real(), chargeId, refundId: 're_by_hand' }
  await tell({ type: 'refund', ...about, minor: 100, state: 'refunded' })
  for (let hour = 0; hour < 20; hour++) {
    app.ctx.clock.advance(HOUR)
    await runDue(app.ctx, [settleReports])
    await runDue(app.ctx, [settleRefunds])
  }
  assert.equal(asked.get(500), 1)
  assert.ok((asked.get(300) ?? 0) <= 21, `asked ${asked.get(300)} times`)
  answers.clear()
  for (const job of [settleReports, settleRefunds, settleReports, settleRefunds]) {
    app.ctx.clock.advance(HOUR)
    await runDue(app.ctx, [job])
  }
  assert.deepEqual(await undoneOf(app, payment), [
    ['refund', -300],
    ['refund', -100],
    ['refund', -400],
  ])
})

test('a refund by hand of what became no payment that is told as failed before it is as made takes nothing off what is owed', async () => {
  const { pricingId } = await offerFor(app, 1)
  assert.equal((await buy(app, pricingId, 'test_declined')).reply.status, 400)
  const { key, amount, currency } = await app.ctx.db
    .selectFrom('charges')
    .selectAll()
    .where('purpose', '=', 'purchase')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const named = { kind: 'charge', token: 'test_succeeds', answer: 'paid', isKept: false } as const
  const chargeId = idOf({ ...named, minor: amount, currency }, 'of nobody')
  const at = app.ctx.clock.real()
  const charge = { outcome: 'paid', externalId: chargeId, fee: 0, method: null } as const
  await tell({ type: 'charge', id: 'of_nobody', at, chargeId, key, charge })
  answer = 'refused'
  await settleLater()
  const about = { at, chargeId, refundId: 're_failed', minor: amount } as const
  await tell({ type: 'refund', id: 'first_failed', ...about, state: 'failed' })
  await tell({ type: 'refund', id: 'then_made', ...about, state: 'refunded' })
  answer = 'made'
  app.ctx.clock.advance(DAY)
  await settleLater()
  assert.equal(asked.get(amount), 2)
  const refunds = app.ctx.db.selectFrom('charges').select(['amount', 'external_id']).orderBy('charges.id')
  const made = await refunds.where('purpose', '=', 'refund').where('state', '=', 'settled').execute()
  assert.equal(made.at(-1)?.amount, amount)
  assert.notEqual(made.at(-1)?.external_id, 're_failed')
})
