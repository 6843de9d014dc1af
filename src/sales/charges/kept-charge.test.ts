import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { newestCharge, overTestGateway } from '../../../test/charges.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import {
  boughtBy,
  buy,
  leftOfPayment,
  payCheckout,
  reportOfTest,
  send,
  undoneOf,
} from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import type { ChargeOutcome } from '../../gateways/gateway.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleReports } from './settle-reports-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

let app: TestApp
let pricingId: number
/** The answer to the next charge is held back until it is let go; what the gateway named it. */
let held: { readonly until: Promise<void>; id?: string } | null = null
before(async () => {
  app = await startTestApp('kept_charge')
  overTestGateway(app, (inner) => ({
    async charge(request) {
      const outcome = await inner.charge(request)
      const mine = held
      held = null
      if (mine && outcome.externalId !== null) mine.id = outcome.externalId
      await mine?.until
      return outcome
    },
    refund: async ({ key }) => ({ outcome: 'refunded', externalId: `made:${key}` }),
  }))
  pricingId = (await offerFor(app, 1)).pricingId
})
after(() => app.close())

const METHOD = {
  token: 'the-token-of-a-card',
  kind: 'card',
  card: { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2099 },
} as const

async function tell(chargeId: string, charge: ChargeOutcome, id: string, key?: string): Promise<number> {
  const event = { type: 'charge', id, at: app.ctx.clock.real(), chargeId, charge } as const
  return (await send(app, 'test', reportOfTest(app, { ...event, ...(key !== undefined && { key }) }))).status
}
const paid = (externalId: string) => ({ outcome: 'paid', externalId, fee: 30, method: METHOD }) as const

const kept = () =>
  app.ctx.db.selectFrom('gateway_events').selectAll().where('due_at', 'is not', null).execute()

/** A checkout whose first charge was declined, and that waits for the buyer of a second one. */
async function payingAgain(method: string) {
  const { token, reply } = await buy(app, pricingId, 'test_declined')
  assert.equal(reply.status, 400, reply.text)
  const { external_id: chargeId } = await newestCharge(app)
  const waiting = await payCheckout(app, token, method)
  assert.equal(waiting.json.state, 'pending', waiting.text)
  return { token, chargeId: chargeId ?? '' }
}

/** What is kept is looked at again, and what is owed given back. */
async function later(): Promise<void> {
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [settleReports])
  app.ctx.clock.advance(2 * MINUTE)
  await runDue(app.ctx, [settleRefunds])
}

/** What was charged twice for a checkout is given back once, whole, and the license stays. */
async function assertGivenBack(
  chargeId: string,
  { payment, licenseId }: Awaited<ReturnType<typeof boughtBy>>,
) {
  const [twice, ...none] = await app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('external_id', '=', chargeId)
    .execute()
  assert.ok(twice && none.length === 0)
  const total = payment.gross + payment.tax
  assert.equal(twice.license_id, licenseId)
  assert.deepEqual(await undoneOf(app, twice), [['refund', -total]])
  assert.deepEqual([await undoneOf(app, payment), await leftOfPayment(app, payment)], [[], total])
  const license = app.ctx.db.selectFrom('licenses').select('is_cancelled').where('id', '=', licenseId)
  assert.equal((await license.executeTakeFirstOrThrow()).is_cancelled, false)
  assert.deepEqual([await kept(), await ledgerFaults(app)], [[], []])
}

test('a purchase that was declined and is reported as paid while it is paid otherwise is given back once that is known, reported once', async () => {
  const { token, chargeId } = await payingAgain('test_needs_confirmation')
  const declined = () =>
    app.ctx.db.selectFrom('charges').selectAll().where('external_id', '=', chargeId).executeTakeFirst()
  const before = await declined()
  assert.ok(before)
  app.ctx.clock.advance(MINUTE)
  assert.equal(await tell(chargeId, paid(chargeId), 'too soon'), 200)
  await later()
  assert.equal((await kept()).length, 1, 'nobody knows yet')
  const { look_at: lookAt, ...as } = { ...(await declined()) }
  assert.deepEqual({ ...as, look_at: null }, before)
  assert.ok(lookAt)
  const bought = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  await later()
  await assertGivenBack(chargeId, bought)
  for (const id of ['too soon', 'too late']) assert.equal(await tell(chargeId, paid(chargeId), id), 200)
  await later()
  await assertGivenBack(chargeId, bought)
})

test('what was declined and is reported as paid while the same is paid in another checkout waits until that is decided, and is told of', async () => {
  const { email, reply } = await buy(app, pricingId, 'test_declined')
  assert.equal(reply.status, 400, reply.text)
  const { id, external_id: declinedId } = await newestCharge(app)
  const chargeId = declinedId ?? ''
  const other = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  assert.equal((await payCheckout(app, other, 'test_needs_confirmation')).json.state, 'pending')
  assert.equal(await tell(chargeId, paid(chargeId), 'paid beside another'), 200)
  for (const round of [1, 2]) {
    await later()
    assert.equal((await kept()).length, 1, `nobody knows yet, ${round}`)
  }
  const { open_charges: open } = await checkLedger(app.ctx)
  assert.ok(open.some((one) => one.charge_id === String(id)))
  const bought = await boughtBy(app, await payCheckout(app, other, 'test_succeeds'))
  await later()
  await assertGivenBack(chargeId, bought)
  assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
})

test('what was reported as paid while it was paid otherwise buys the checkout where that was declined, with its method of payment, which is sealed until then', async () => {
  const { token, chargeId } = await payingAgain('test_confirmation_failed')
  assert.equal(await tell(chargeId, paid(chargeId), 'kept'), 200)
  const [row, ...none] = await kept()
  assert.ok(row?.method && none.length === 0)
  assert.ok(!JSON.stringify(row).includes(METHOD.token))
  assert.equal((await payCheckout(app, token, 'test_confirmation_failed')).status, 400)
  await later()
  const { payment, subscriptionId } = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  assert.equal(payment.external_id, chargeId)
  const { token: sealed } = await app.ctx.db
    .selectFrom('payment_methods')
    .innerJoin('subscriptions', 'subscriptions.payment_method_id', 'payment_methods.id')
    .select('payment_methods.token')
    .where('subscriptions.id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  assert.equal(app.ctx.keys.open(sealed, 'payment_methods.token'), METHOD.token)
  const after = app.ctx.db.selectFrom('gateway_events').selectAll().where('id', '=', row.id)
  const { report, method, due_at } = await after.executeTakeFirstOrThrow()
  assert.deepEqual([report, method, due_at], [null, null, null])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('an answer that comes after its charge was reported as declined, and while another is paid, is given back though nobody reports it', async () => {
  const email = 'late.answer@example.com'
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  const { promise, resolve } = Promise.withResolvers<void>()
  const first: { until: Promise<void>; id?: string } = { until: promise }
  held = first
  const answer = payCheckout(app, token, 'test_succeeds')
  while (first.id === undefined) await new Promise(setImmediate)
  const { key } = await newestCharge(app)
  const no = { outcome: 'declined', externalId: first.id, reason: 'declined', message: 'No.' } as const
  assert.equal(await tell(first.id, no, 'no', key), 200)
  assert.equal((await payCheckout(app, token, 'test_needs_confirmation')).json.state, 'pending')
  resolve()
  assert.equal((await answer).json.error.code, 'checkout_in_progress')
  const bought = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  await later()
  await assertGivenBack(first.id, bought)
})

test('a gateway of the sandbox that cannot be heard keeps no other report from being looked at', async () => {
  const { chargeId } = await payingAgain('test_needs_confirmation')
  app.ctx.clock.advance(MINUTE)
  assert.equal(await tell(chargeId, paid(chargeId), 'beside the deaf'), 200)
  const [before] = await kept()
  app.ctx.clock.advance(HOUR)
  const { reply } = await buy(app, pricingId, 'test_succeeds')
  assert.equal(reply.json.state, 'paid', reply.text)
  const gateway = app.ctx.gateways.find(({ code }) => code === 'test') ?? assert.fail()
  const { reportsOf } = gateway
  const deaf = () => {
    throw new Error('This gateway cannot be heard.')
  }
  Object.assign(gateway, { reportsOf: deaf })
  try {
    await runDue(app.ctx, [settleReports])
  } finally {
    Object.assign(gateway, { reportsOf })
  }
  const after = (await kept()).find(({ id }) => id === before?.id)
  assert.ok(before?.due_at && after?.due_at && after.due_at > before.due_at, 'it was looked at')
})
