import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { chargedInSandbox, eventsAbout, ledgerFaults, scopeOf, sell } from '../../../test/sales.ts'
import { testGateway } from '../../gateways/test/gateway.ts'
import { GatewayUnreachable, type Gateway } from '../../gateways/gateway.ts'
import { beginRefund, settleRefund } from '../refunds/refund-payment.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'

let app: TestApp
let developer: CallAs
/** How many refunds the gateway was asked for, by their keys. */
let asked: string[] = []
let isDown = false

const inner = testGateway({ webhookSecret: 'refunds' })
const gateway: Gateway = {
  ...inner,
  async refund(request) {
    asked.push(request.key)
    if (isDown) throw new GatewayUnreachable('It does not answer.')
    return inner.refund(request)
  },
}

before(async () => {
  app = await startTestApp('refunds')
  Object.assign(app.ctx, { gateways: [gateway] })
  developer = await asDeveloper(app)
})
beforeEach(() => {
  app.ctx.clock.set(START)
  asked = []
  isDown = false
})
after(() => app.close())

async function sold(token?: string) {
  const payment = await chargedInSandbox(token)
  return sell(app, { payment, subscription: { gateway: 'test', environment: 1 } })
}

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const refund = (id: number, body: object = {}) =>
  developer('POST', path(`/payments/${id}/refunds.json`), body)
const get = async (rest: string) => (await app.call('GET', path(rest))).json
const codeOf = async (reply: ReturnType<CallAs>) => (await reply).json.error?.code
async function refusalOf(reply: ReturnType<CallAs>) {
  const { code, message, details } = (await reply).json.error
  return [code, message, details?.map(({ field }: { field: string }) => field)]
}
const NOTHING_LEFT = ['Nothing is left of this payment to give back.', ['amount']]
const rowOf = (id: number) =>
  app.ctx.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refundsOf = (id: number) =>
  app.ctx.db.selectFrom('payments').selectAll().where('bound_payment_id', '=', id).orderBy('id').execute()

test('a full refund gives back gross and tax, and cancels license and subscription', async () => {
  const { payment, subscription, license } = await sold()
  const { status, json } = await refund(payment.id, { reason: 'Bought by mistake' })
  assert.equal(status, 201)
  assert.deepEqual(
    [json.type, json.gross, json.vat, json.bound_payment_id, json.refund_reason, json.gateway],
    ['refund', -49.99, -10, String(payment.id), 'Bought by mistake', 'test'],
  )
  const after = await get(`/subscriptions/${subscription.id}.json`)
  assert.deepEqual(
    [after.next_payment, after.canceled_at, after.total_gross],
    [null, '2026-01-31 10:00:00', 0],
  )
  assert.equal((await get(`/licenses/${license.id}.json`)).is_cancelled, true)
  assert.deepEqual(await eventsAbout(app, 'bound_payment_id', payment.id), ['payment.refund'])
  assert.deepEqual(await refusalOf(refund(payment.id)), ['invalid_refund_amount', ...NOTHING_LEFT])
  assert.deepEqual(await refusalOf(refund(payment.id, { amount: 1 })), [
    'refund_exceeds_payment',
    ...NOTHING_LEFT,
  ])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('partial refunds cancel nothing, add up to the payment, and the last one cancels', async () => {
  const { payment, subscription, license } = await sold()
  for (const amount of [20, 20]) {
    assert.equal((await refund(payment.id, { amount })).status, 201)
    assert.equal((await get(`/subscriptions/${subscription.id}.json`)).canceled_at, null)
  }
  assert.equal(await codeOf(refund(payment.id, { amount: 20 })), 'refund_exceeds_payment')
  const rest = (await refund(payment.id)).json
  assert.deepEqual([rest.gross, rest.vat], [-16.66, -3.33])
  const { gross, tax, refunded_gross, refunded_tax } = await rowOf(payment.id)
  assert.deepEqual([refunded_gross, refunded_tax], [gross, tax])
  assert.equal((await get(`/licenses/${license.id}.json`)).is_cancelled, true)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('the caller says whether license and subscription are cancelled', async () => {
  const kept = await sold()
  await refund(kept.payment.id, { cancel_license: false, cancel_subscription: false })
  assert.equal((await get(`/licenses/${kept.license.id}.json`)).is_cancelled, false)
  assert.equal((await get(`/subscriptions/${kept.subscription.id}.json`)).canceled_at, null)
  const half = await sold()
  await refund(half.payment.id, { amount: 1, cancel_subscription: true })
  assert.equal((await get(`/licenses/${half.license.id}.json`)).is_cancelled, false)
  assert.notEqual((await get(`/subscriptions/${half.subscription.id}.json`)).canceled_at, null)
})

test('a refund that the gateway refuses gives nothing back and can be asked for again', async () => {
  const { payment } = await sold('test_refund_refused')
  assert.equal(await codeOf(refund(payment.id)), 'refund_refused')
  assert.equal(await codeOf(refund(payment.id)), 'refund_refused')
  const { refunded_gross, refunded_tax } = await rowOf(payment.id)
  assert.deepEqual([refunded_gross, refunded_tax, (await refundsOf(payment.id)).length], [0, 0, 0])
  assert.equal(new Set(asked).size, 2, 'each under a key of its own')
})

test('ten refunds of a fifth at once give back the payment and no more', async () => {
  const { payment } = await sold()
  const replies = await Promise.all(Array.from({ length: 10 }, () => refund(payment.id, { amount: 11.99 })))
  const done = replies.filter(({ status }) => status === 201).length
  assert.equal(done, 5)
  const refunds = await refundsOf(payment.id)
  assert.equal(refunds.length, 5)
  assert.equal(
    refunds.reduce((sum, { gross, tax }) => sum + gross + tax, 0),
    -5 * 1199,
  )
  assert.deepEqual(await ledgerFaults(app), [])
})

test('without an answer of the gateway the refund stays begun, and is made once by whoever asks next', async () => {
  const { payment } = await sold()
  isDown = true
  const refused = await refund(payment.id, { amount: 10, reason: 'Slow' })
  assert.deepEqual([refused.status, refused.json.error.code], [503, 'gateway_unreachable'])
  assert.equal((await rowOf(payment.id)).refunded_gross, 833)
  isDown = false
  const { status, json } = await refund(payment.id, { amount: 10 })
  assert.deepEqual([status, json.gross, json.refund_reason], [201, -8.33, 'Slow'])
  assert.equal(new Set(asked).size, 1, 'under the same key')
  assert.equal((await refundsOf(payment.id)).length, 1)
})

test('without an amount all that is left is given back, beside a part that got no answer', async () => {
  const { payment } = await sold()
  isDown = true
  assert.equal((await refund(payment.id, { amount: 10 })).status, 503)
  isDown = false
  const { status, json } = await refund(payment.id)
  assert.deepEqual([status, json.gross, json.vat], [201, -41.66, -8.33])
  const { status: again, json: part } = await refund(payment.id)
  assert.deepEqual([again, part.gross, part.vat], [201, -8.33, -1.67])
  assert.deepEqual([new Set(asked).size, (await refundsOf(payment.id)).length], [2, 2])
})

test('a refund that two settle, as one was taken for dead, is one', async () => {
  const { payment } = await sold()
  const begun = await beginRefund(app.ctx, scopeOf(app), payment.id, { amount: 10 })
  const settle = () =>
    app.write((tx) => settleRefund(tx, scopeOf(app), { id: payment.id, input: { amount: 10 }, begun }))
  const settled = await Promise.all([settle(), settle(), settle()])
  assert.equal(new Set(settled.map((one) => 'id' in one && one.id)).size, 1)
  assert.equal((await refundsOf(payment.id)).length, 1)
  const refused = await sold('test_refund_refused')
  const no = await beginRefund(app.ctx, scopeOf(app), refused.payment.id, {})
  for (let times = 0; times < 2; times++) {
    await app.write((tx) => settleRefund(tx, scopeOf(app), { id: refused.payment.id, input: {}, begun: no }))
    assert.equal((await rowOf(refused.payment.id)).refunded_gross, 0)
  }
})

test('a job ends what was begun, once, also when several run', async () => {
  const { payment } = await sold()
  isDown = true
  await refund(payment.id, { amount: 10 })
  isDown = false
  app.ctx.clock.advance(MINUTE)
  await Promise.all([runDue(app.ctx, [settleRefunds]), runDue(app.ctx, [settleRefunds])])
  assert.equal((await refundsOf(payment.id)).length, 1)
  const charges = await app.ctx.db
    .selectFrom('charges')
    .select(['state', 'outcome_id', 'settled_at'])
    .where('payment_id', '=', payment.id)
    .execute()
  assert.deepEqual(
    charges.map(({ state, outcome_id, settled_at }) => [state, outcome_id !== null, settled_at !== null]),
    [['settled', true, true]],
  )
})

test('what undoes a payment is not refunded, nor a payment of nothing, of another product, or without its gateway', async () => {
  const { payment } = await sold()
  const { json } = await refund(payment.id, { amount: 5 })
  assert.equal(await codeOf(refund(Number(json.id))), 'payment_not_refundable')
  assert.equal((await refund(999_999)).status, 404)
  const other = `/products/${app.seller.other.id}/payments/${payment.id}/refunds.json`
  assert.equal((await developer('POST', other, {})).status, 404)
  const stripe = await sell(app)
  assert.equal(await codeOf(refund(stripe.payment.id)), 'gateway_not_configured')
  const free = await sell(app, { payment: { gross: 0, tax: 0, gateway_fee: 0, gateway: null } })
  assert.deepEqual(await refusalOf(refund(free.payment.id)), ['invalid_refund_amount', ...NOTHING_LEFT])
  assert.equal(await codeOf(refund(payment.id, { amount: 0 })), 'invalid_refund_amount')
  assert.equal(await codeOf(refund(payment.id, { amount: 1.001 })), 'invalid_argument')
})

test('what was paid elsewhere is refunded in the books, and nobody is asked', async () => {
  const { payment } = await sell(app, { payment: { gateway: null, source: 2 } })
  const { status, json } = await refund(payment.id, { amount: 10 })
  assert.deepEqual([status, json.gross, json.gateway, asked.length], [201, -8.33, null, 0])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a refund is the seller’s own: the product token may not', async () => {
  const { payment } = await sold()
  assert.equal(
    (await app.call('POST', path(`/payments/${payment.id}/refunds.json`), { body: {} })).status,
    401,
  )
})

test('a user who got everything back has spent nothing', async () => {
  const { payment, owner } = await sell(app, { payment: { gateway: null } })
  assert.equal((await get(`/users/${owner.id}.json`)).gross, 49.99)
  await refund(payment.id)
  assert.equal((await get(`/users/${owner.id}.json`)).gross, 0)
})

test('R03: one Idempotency-Key is one refund, also when the gateway did not answer at first', async () => {
  const { payment } = await sold()
  const { id } = app.seller.developer
  const { access } = await app.write((tx) => issueAccessToken(tx, { developerId: id, userId: null }))
  const headers = { authorization: `FSA ${id}:${access}`, 'idempotency-key': 'refund-once' }
  const address = `/developers/${id}${path(`/payments/${payment.id}/refunds.json`)}`
  const ask = () => app.call('POST', address, { token: null, headers, body: { amount: 10 } })
  isDown = true
  assert.equal((await ask()).status, 503)
  isDown = false
  const statuses = (await Promise.all(Array.from({ length: 8 }, ask))).map(({ status }) => status)
  assert.ok(statuses.includes(201), statuses.join())
  assert.ok(
    statuses.every((status) => status === 201 || status === 409),
    statuses.join(),
  )
  assert.equal((await ask()).json.gross, -8.33)
  assert.deepEqual([(await refundsOf(payment.id)).length, new Set(asked).size], [1, 1])
})
