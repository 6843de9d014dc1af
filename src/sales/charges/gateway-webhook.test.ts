import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { offerFor } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import {
  boughtBy,
  buy,
  leftOfPayment,
  payCheckout,
  send,
  sendToDying,
  undoneOf,
} from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { startStripe } from '../../../test/stripe/server.ts'
import { stripeGateway } from '../../gateways/stripe/gateway.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleReports } from './settle-reports-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { takeReports } from './gateway-reports.ts'

const stripe = await startStripe()
const gateway = stripeGateway(stripe.config, { timeoutMs: 2_000, retries: 0 })
let app: TestApp
let pricingId: number
before(async () => {
  app = await startTestApp('gateway_webhook')
  Object.assign(app.ctx, { gateways: [gateway, ...app.ctx.gateways] })
  pricingId = (await offerFor(app, 1)).pricingId
})
beforeEach(() => app.ctx.clock.set(START))
after(async () => {
  stripe.close()
  await app.close()
})

let events = 0
/** What the gateway reports of one of its objects. */
const reported = (type: string, object: object, id = `evt_${++events}`) =>
  stripe.webhook(type, object, { id, now: app.ctx.clock.real() })
const report = (...of: Parameters<typeof reported>) => send(app, 'stripe', reported(...of))
const intentOf = (id: string | null) => stripe.api.intents.get(id ?? '')

/** A purchase at the gateway, with what it is there. */
async function sold() {
  const bought = await boughtBy(app, (await buy(app, pricingId, 'pm_card_visa')).reply)
  return { ...bought, intent: intentOf(bought.payment.external_id) }
}

async function countOf(table: 'payments' | 'gateway_events' | 'licenses'): Promise<number> {
  return (await app.ctx.db.selectFrom(table).select('id').execute()).length
}
const licenseOf = (id: number) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lastIntent = () => [...stripe.api.intents.values()].at(-1)

/** Runs what is due of the job, as if its time had come. */
async function retake(after = 2 * MINUTE) {
  app.ctx.clock.advance(after)
  await runDue(app.ctx, [settleReports])
}

test('R02: a purchase that is reported, asked for and looked for by a job, all at once, is made once', async () => {
  const before = [await countOf('payments'), await countOf('licenses')]
  const { token, reply } = await buy(app, pricingId, 'pm_card_threeDSecure2Required')
  assert.equal(reply.json.state, 'pending', reply.text)
  app.ctx.clock.advance(10 * MINUTE)
  const intent = lastIntent()
  const same = reported('payment_intent.succeeded', intent)
  const answers = await Promise.all([
    send(app, 'stripe', same),
    send(app, 'stripe', same),
    report('payment_intent.succeeded', intent),
    payCheckout(app, token, 'pm_card_visa'),
    runDue(app.ctx, [settlePurchases]),
    payCheckout(app, token, 'pm_card_visa'),
    report('payment_intent.succeeded', intent),
  ])
  for (const answer of answers)
    assert.ok(typeof answer === 'number' || answer.status === 200, JSON.stringify(answer))
  assert.deepEqual(
    [await countOf('payments'), await countOf('licenses')],
    before.map((count) => count + 1),
  )
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'pm_card_visa'))
  assert.equal(payment.external_id, intent.id)
  assert.equal((await report('payment_intent.payment_failed', { ...intent })).status, 200, 'an older event')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a purchase whose charge is reported as declined can be paid anew', async () => {
  const { token, reply } = await buy(app, pricingId, 'pm_slowBank')
  assert.equal(reply.json.state, 'pending')
  const intent = Object.assign(lastIntent(), { status: 'canceled' })
  assert.equal((await report('payment_intent.canceled', intent)).status, 200)
  const again = await payCheckout(app, token, 'pm_card_visa')
  assert.notEqual((await boughtBy(app, again)).payment.external_id, intent.id)
})

test('a purchase that the bank has in work for hours is waited for, and bought once it is paid', async () => {
  const { token } = await buy(app, pricingId, 'pm_slowBank')
  app.ctx.clock.advance(3 * HOUR)
  const asked = stripe.asked.length
  await runDue(app.ctx, [settlePurchases])
  const paths = stripe.asked.slice(asked).map(({ path }) => path)
  assert.deepEqual([paths.length > 0, paths.filter((path) => path.endsWith('/cancel'))], [true, []])
  const intent = Object.assign(lastIntent(), { status: 'succeeded' })
  assert.equal((await report('payment_intent.succeeded', intent)).status, 200)
  await boughtBy(app, await payCheckout(app, token, 'pm_card_visa'))
})

test('what the gateway did not sign, or signed too long ago, is refused with 401 and not kept', async () => {
  const { intent } = await sold()
  const before = await countOf('gateway_events')
  const type = 'payment_intent.succeeded'
  const id = { id: `evt_${++events}`, now: START }
  const forged = stripe.webhook(type, intent, { ...id, isForged: true })
  const old = stripe.webhook(type, intent, { ...id, now: START - 6 * MINUTE })
  const right = stripe.webhook(type, intent, id)
  const changed = { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) }
  for (const wrong of [
    forged,
    old,
    changed,
    { ...right, headers: {} },
    { ...right, body: Buffer.alloc(0) },
  ]) {
    const { status, json } = await send(app, 'stripe', wrong)
    assert.deepEqual([status, json.error.code], [401, 'invalid_signature'])
  }
  assert.equal((await send(app, 'test', right)).status, 401, 'each gateway has a signature of its own')
  assert.equal((await send(app, 'paypal', right)).status, 404)
  assert.equal(await countOf('gateway_events'), before)
  assert.equal((await send(app, 'stripe', right)).status, 200)
})

test('what Stripe signed and is no JSON is refused with 400', async () => {
  const { status, json } = await send(app, 'stripe', stripe.signed('no JSON', app.ctx.clock.real()))
  assert.deepEqual([status, json.error.code], [400, 'invalid_json'])
})

test('what a gateway reports is in the audit log with the gateway, the event and from where, as often as it is sent', async () => {
  const { intent } = await sold()
  const type = 'payment_intent.succeeded'
  const [id, other] = [`evt_${++events}`, `evt_${++events}`]
  for (const one of [id, id, other]) assert.equal((await report(type, intent, one)).status, 200)
  const rows = (await auditOf(app, 'gateway-webhook')).slice(-3)
  for (const { actor_kind: kind, credential, ip } of rows)
    assert.deepEqual([kind, credential, ip], ['system', 'gateway:stripe', '127.0.0.1'])
  const told = [id, id, other].map((event) => [{ id: event, type: 'charge' }])
  assert.deepEqual(
    rows.map(({ details }) => details['events']),
    told,
  )
  assert.equal(new Set(rows.map(({ request_id: request }) => request)).size, 3)
})

test('what tells nothing that is kept, and a charge of another system, is answered and does nothing', async () => {
  const before = await countOf('payments')
  assert.equal((await report('plan.created', { id: 'price_1', object: 'plan' })).status, 200)
  assert.equal((await report('payment_intent.succeeded', { id: 'pi_of_another' })).status, 200)
  assert.equal(await countOf('payments'), before)
})

test('while the gateway does not say what stands, a report is refused with 503 and taken when it comes again', async () => {
  const { intent, payment } = await sold()
  const dispute = stripe.api.dispute(intent)
  const webhook = reported('charge.dispute.created', dispute)
  stripe.faults.push(503)
  assert.equal((await send(app, 'stripe', webhook)).status, 503)
  assert.deepEqual(await undoneOf(app, payment), [])
  assert.equal((await send(app, 'stripe', webhook)).status, 200)
  assert.deepEqual(await undoneOf(app, payment), [['disputed', -payment.gross - payment.tax]])
})

test('a dispute that is lost ends license and subscription, whatever order its events come in and how often', async () => {
  const { intent, payment, licenseId } = await sold()
  const dispute = stripe.api.dispute(intent, { status: 'lost' })
  const types = ['charge.dispute.closed', 'charge.dispute.created', 'charge.dispute.updated']
  for (const type of types) assert.equal((await report(type, dispute)).status, 200)
  await Promise.all(types.map((type) => report(type, dispute)))
  assert.deepEqual(await undoneOf(app, payment), [
    ['disputed', -payment.gross - payment.tax],
    ['lost_dispute', 0],
  ])
  assert.equal((await licenseOf(licenseId)).is_cancelled, true)
  const won = await sold()
  const other = stripe.api.dispute(won.intent)
  await report('charge.dispute.created', other)
  assert.equal(await leftOfPayment(app, won.payment), 0)
  other.status = 'won'
  await report('charge.dispute.closed', other)
  assert.equal(await leftOfPayment(app, won.payment), won.payment.gross + won.payment.tax)
  assert.equal((await licenseOf(won.licenseId)).is_cancelled, false)
  assert.deepEqual(await ledgerFaults(app), [])
})

/** What somebody gives back in the gateway's own dashboard. */
function givenBack(intent: { readonly id: string; readonly currency: string }, amount: number) {
  const form = new URLSearchParams({ payment_intent: intent.id, amount: String(amount) })
  return stripe.api.answer('POST', '/v1/refunds', form)
}

test('a refund that is made with the gateway itself is written down once, and all of it cancels', async () => {
  const { intent, payment, licenseId } = await sold()
  const part = givenBack(intent, 1_000)
  const reports = ['refund.created', 'refund.updated', 'charge.refund.updated', 'refund.created']
  const answers = await Promise.all(reports.map((type) => report(type, part)))
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -1_000]])
  assert.equal((await licenseOf(licenseId)).is_cancelled, false)
  const rest = givenBack(intent, payment.gross + payment.tax - 1_000)
  await report('refund.created', rest)
  assert.equal(await leftOfPayment(app, payment), 0)
  assert.equal((await licenseOf(licenseId)).is_cancelled, true)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('an event that comes again and again is one', async () => {
  const { intent } = await sold()
  const before = await countOf('gateway_events')
  const webhook = reported('payment_intent.succeeded', intent)
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(app, 'stripe', webhook)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(await countOf('gateway_events'), before + 1)
})

test('R04: a report that a fault keeps from being taken is answered 500 and taken as a whole when it comes again', async () => {
  const { payment, intent, licenseId } = await sold()
  const lost = reported('charge.dispute.closed', stripe.api.dispute(intent, { status: 'lost' }))
  const before = [await countOf('gateway_events'), await countOf('payments')]
  const nothing = async (what: string) => {
    assert.deepEqual([await countOf('gateway_events'), await countOf('payments')], before, what)
    assert.equal((await licenseOf(licenseId)).is_cancelled, false)
  }
  assert.equal(await sendToDying(app, lost), 500)
  await nothing('answered 500')
  const events = await gateway.readWebhook(lost)
  assert.ok(events)
  for (let n = 1, isWhole = false; !isWhole; n++) {
    const dying = dyingProcess(app, n)
    isWhole = await takeReports(dying.ctx, 'stripe', events).then(
      () => true,
      () => false,
    )
    await dying.close()
    if (!isWhole) await nothing(`statement ${n}`)
  }
  assert.equal((await undoneOf(app, payment)).length, 2)
  assert.equal((await licenseOf(licenseId)).is_cancelled, true)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a dispute of a charge that nobody knows yet is kept, and taken once the purchase is known', async () => {
  const { payment, intent } = await sold()
  const { db, database } = app.ctx
  const charge = await db
    .selectFrom('charges')
    .selectAll()
    .where('external_id', '=', intent.id)
    .executeTakeFirstOrThrow()
  const know = (outcome_id: number | null) =>
    database.transaction((tx) =>
      tx.updateTable('charges').set({ outcome_id }).where('id', '=', charge.id).execute(),
    )
  await know(null)
  assert.equal((await report('charge.dispute.created', stripe.api.dispute(intent))).status, 200)
  await retake()
  assert.deepEqual(await undoneOf(app, payment), [])
  await know(payment.id)
  await Promise.all([retake(), runDue(app.ctx, [settleReports])])
  assert.deepEqual(await undoneOf(app, payment), [['disputed', -payment.gross - payment.tax]])
})

test('what is reported of a charge that nobody gets to know is looked at for three days', async () => {
  const intent = {
    id: 'pi_of_another_system',
    amount: 500,
    currency: 'usd',
    latest_charge: { id: 'ch_other' },
  }
  const id = `evt_${++events}`
  await report('charge.dispute.created', stripe.api.dispute(intent), id)
  const dueAt = async () =>
    (
      await app.ctx.db
        .selectFrom('gateway_events')
        .select('due_at')
        .where('event_id', '=', id)
        .executeTakeFirst()
    )?.due_at
  for (let day = 0; day < 3; day++) {
    assert.notEqual(await dueAt(), null)
    await retake(DAY + HOUR)
  }
  assert.equal(await dueAt(), null)
})
