import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { boughtBy, buy, payCheckout, reportOfTest, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf, subscriptionRow } from '../../../test/sales.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { settleReports } from './settle-reports-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'
import { createCoupon } from '../coupons/service.ts'
import { endSubscription, startSubscription } from '../subscriptions/start-subscription.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('settle_reported')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const licenseOf = (id: number) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A renewal that waits for the buyer's bank, and what it is named at its gateway. */
async function renewing() {
  const sale = await subscribed(app, { token: 'test_renewal_pending' })
  await renewAt(app, sale.next)
  const charge = await app.ctx.db
    .selectFrom('charges')
    .selectAll()
    .where('subscription_id', '=', sale.subscription.id)
    .executeTakeFirstOrThrow()
  assert.equal(charge.state, 'pending')
  return { ...sale, chargeId: charge.external_id ?? '' }
}
type Renewing = Awaited<ReturnType<typeof renewing>>

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a renewal that the bank decides later is renewed when it is reported, once', async () => {
  const { subscription, chargeId, licenseId } = await renewing()
  const charge = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const event = { type: 'charge', id: 'renewed', at: START, chargeId, charge } as const
  const ids = ['renewed', 'renewed', 'again', 'again']
  const answers = await Promise.all(ids.map((id) => send(app, 'test', reportOfTest(app, { ...event, id }))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual(
    [row.next_payment, row.failed_payments, row.total_gross],
    ['2026-03-31 10:00:00', 0, 1_200],
  )
  assert.equal((await licenseOf(licenseId)).expiration, '2026-04-01 10:00:00')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal that the bank declines later is a failed attempt, once', async () => {
  const { subscription, chargeId } = await renewing()
  const charge = { outcome: 'declined', externalId: chargeId, reason: 'declined', message: 'No.' } as const
  const event = { type: 'charge', at: START, chargeId, charge } as const
  for (const id of ['no', 'no', 'no again']) await send(app, 'test', reportOfTest(app, { ...event, id }))
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual([row.failed_payments, row.outstanding_balance], [1, 1_200])
})

test('a renewal that is reported as paid after its subscription was cancelled keeps what it paid, and is renewed no more', async () => {
  const { subscription, chargeId, licenseId } = await renewing()
  await app.write((tx) => endSubscription(tx, scopeOf(app), subscription))
  const charge = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  const event = { type: 'charge', id: 'late', at: START, chargeId, charge } as const
  assert.equal((await send(app, 'test', reportOfTest(app, event))).status, 200)
  const row = await subscriptionOf(subscription.id)
  assert.deepEqual([row.next_payment, row.due_at, row.total_gross], [null, null, 1_200])
  assert.equal((await licenseOf(licenseId)).expiration, '2026-04-01 10:00:00')
})

/** What the gateway says of a charge after all. */
async function paidAfterAll(chargeId: string, id: string) {
  const charge = { outcome: 'paid', externalId: chargeId, fee: 30, method: null } as const
  return send(app, 'test', reportOfTest(app, { type: 'charge', id, at: START, chargeId, charge }))
}

const paymentsAt = (chargeId: string) =>
  app.ctx.db.selectFrom('payments').selectAll().where('external_id', '=', chargeId).execute()

/** The last charge of a checkout that was declined. */
const declinedCharge = () =>
  app.ctx.db
    .selectFrom('charges')
    .selectAll()
    .where('state', '=', 'declined')
    .where('purpose', '=', 'purchase')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('a purchase that was declined and is reported as paid is bought, while its checkout is open', async () => {
  const { pricingId } = await offerFor(app, 1)
  const { token, reply } = await buy(app, pricingId, 'test_declined')
  assert.equal(reply.status, 400, reply.text)
  const { external_id: chargeId } = await declinedCharge()
  for (const id of ['after all', 'after all', 'once more']) {
    assert.equal((await paidAfterAll(chargeId ?? '', id)).status, 200)
  }
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  assert.equal(payment.external_id, chargeId)
  const { length } = await app.ctx.db
    .selectFrom('payments')
    .select('id')
    .where('plan_id', '=', payment.plan_id)
    .execute()
  assert.equal(length, 1)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal that was declined and is reported as paid is renewed while it is due, else given back', async () => {
  const due = await renewing()
  const no = { outcome: 'declined', externalId: due.chargeId, reason: 'declined', message: 'No.' } as const
  const declined = { type: 'charge', at: START, chargeId: due.chargeId, charge: no } as const
  await send(app, 'test', reportOfTest(app, { ...declined, id: 'first no' }))
  await paidAfterAll(due.chargeId, 'then yes')
  const renewed = await subscriptionOf(due.subscription.id)
  assert.deepEqual(
    [renewed.next_payment, renewed.failed_payments, renewed.total_gross],
    ['2026-03-31 10:00:00', 0, 1_200],
  )
  app.ctx.clock.set(START)
  const ended = await renewing()
  const of = { chargeId: ended.chargeId, charge: { ...no, externalId: ended.chargeId } }
  await send(app, 'test', reportOfTest(app, { ...declined, ...of, id: 'another no' }))
  await app.write((tx) => endSubscription(tx, scopeOf(app), ended.subscription))
  await paidAfterAll(ended.chargeId, 'yes, too late')
  const paid = await app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('external_id', '=', ended.chargeId)
    .executeTakeFirstOrThrow()
  assert.equal(paid.refunded_gross, paid.gross)
  assert.equal((await licenseOf(ended.licenseId)).expiration, '2026-03-01 10:00:00')
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal that was declined and is reported as paid while another attempt is under way is given back', async () => {
  const { subscription, chargeId } = await renewing()
  const no = { outcome: 'declined', externalId: chargeId, reason: 'declined', message: 'No.' } as const
  const declined = { type: 'charge', at: START, chargeId, charge: no } as const
  await send(app, 'test', reportOfTest(app, { ...declined, id: 'no, for now' }))
  const { due_at: again, next_payment: next } = await subscriptionOf(subscription.id)
  assert.ok(again && next)
  await renewAt(app, again)
  const charges = () =>
    app.ctx.db
      .selectFrom('charges')
      .select(['state', 'purpose', 'external_id'])
      .where('subscription_id', '=', subscription.id)
      .orderBy('id')
      .execute()
  const [, second] = await charges()
  assert.equal(second?.state, 'pending')
  await paidAfterAll(chargeId, 'yes, beside another')
  assert.equal((await subscriptionOf(subscription.id)).next_payment, next)
  const [payment, ...none] = await app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .execute()
  assert.deepEqual([payment?.refunded_gross, none], [payment?.gross, []])
  await paidAfterAll(second.external_id ?? '', 'yes, this one')
  assert.equal((await subscriptionOf(subscription.id)).next_payment, '2026-03-31 10:00:00')
  assert.deepEqual(await ledgerFaults(app), [])
})

const GIVEN_BACK = [
  {
    name: 'something else renews its license',
    async change({ subscription: { plan_id: planId, pricing_id }, userId, licenseId }: Renewing) {
      const bought = { userId, licenseId, planId, pricingId: pricing_id ?? 0 }
      const row = subscriptionRow(bought, app.ctx.clock.real(), { environment: 1 })
      await app.write((tx) => startSubscription(tx, scopeOf(app), row))
    },
  },
  {
    name: 'its license is for life',
    async change({ licenseId }: Renewing) {
      const path = `/products/${app.seller.product.id}/licenses/${licenseId}.json`
      const { status, text } = await app.call('PUT', path, { body: { expiration: null } })
      assert.equal(status, 200, text)
    },
  },
]
for (const { name, change } of GIVEN_BACK) {
  test(`a renewal that is reported as paid after its subscription was cancelled is given back when ${name}`, async () => {
    const one = await renewing()
    await app.write((tx) => endSubscription(tx, scopeOf(app), one.subscription))
    await change(one)
    const { expiration } = await licenseOf(one.licenseId)
    assert.equal((await paidAfterAll(one.chargeId, `given back when ${name}`)).status, 200)
    const [paid] = await paymentsAt(one.chargeId)
    assert.deepEqual([paid?.gross, paid?.refunded_gross], [1_000, 1_000])
    assert.equal((await licenseOf(one.licenseId)).expiration, expiration)
  })
}

for (const gone of ['price', 'plan'] as const) {
  test(`a purchase that is paid after all is given back where its checkout bought another price and its ${gone} was deleted`, async () => {
    const [first, second] = [await offerFor(app, 1), await offerFor(app, 1)]
    const { pricingId, planId } = first
    const email = `no.${gone}@example.com`
    const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
    assert.equal((await payCheckout(app, token, 'test_declined')).status, 400)
    const { id, external_id: chargeId, amount } = await declinedCharge()
    const body = { plan_id: second.planId, pricing_id: second.pricingId }
    const changed = await app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
    assert.equal(changed.json.pricing_id, String(second.pricingId), changed.text)
    await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
    const developer = await asDeveloper(app)
    const path = `/products/${app.seller.product.id}/plans/${planId}`
    const deleted = gone === 'plan' ? `${path}.json` : `${path}/pricing/${pricingId}.json`
    assert.equal((await developer('DELETE', deleted)).status, 204)
    assert.equal((await paidAfterAll(chargeId ?? '', `without its ${gone}`)).status, 200)
    const charges = app.ctx.db.selectFrom('charges').select(['purpose', 'amount', 'payment_id'])
    const given = await charges.where('of_charge_id', '=', id).execute()
    assert.deepEqual(given, [{ purpose: 'refund', amount, payment_id: null }])
    assert.deepEqual(await paymentsAt(chargeId ?? ''), [])
    assert.deepEqual(await ledgerFaults(app), [])
  })
}

test('the last redemption of a coupon is of one of two purchases that were declined and are paid after all', async () => {
  const { pricingId } = await offerFor(app, 1)
  const all = { user_type: 'all', has_renewals_discount: false, has_addons_discount: false } as const
  const last = { discount: 50, discount_type: 'percentage', redemptions_limit: 1, code: 'LAST' } as const
  const coupon = { ...all, ...last, is_one_per_user: false, is_active: true }
  const { id } = await app.write((tx) => createCoupon(tx, scopeOf(app), coupon))
  const declined: string[] = []
  for (const email of ['last@example.com', 'too.late@example.com']) {
    const token = await app.write((tx) =>
      openSandboxCheckout(tx, scopeOf(app), { pricingId, email, coupon: 'LAST' }),
    )
    assert.equal((await payCheckout(app, token, 'test_declined')).status, 400)
    declined.push((await declinedCharge()).external_id ?? '')
  }
  const coupons: (number | null | undefined)[] = []
  for (const chargeId of declined) {
    assert.equal((await paidAfterAll(chargeId, `with ${chargeId}`)).status, 200)
    coupons.push((await paymentsAt(chargeId))[0]?.coupon_id)
  }
  assert.deepEqual(coupons, [Number(id), null])
  assert.deepEqual(await redemptionsOf(app, id), { live: 0, sandbox: 1 })
})

test('in the sandbox a purchase is disputed, won or lost as its token says, once', async () => {
  const { pricingId } = await offerFor(app, 1)
  const tokens = ['test_disputed', 'test_dispute_won', 'test_dispute_lost', 'test_succeeds']
  const bought = await Promise.all(
    tokens.map(async (token) => boughtBy(app, (await buy(app, pricingId, token)).reply)),
  )
  for (let times = 0; times < 2; times++) {
    app.ctx.clock.advance(MINUTE)
    await runDue(app.ctx, [settleReports])
  }
  const kinds = bought.map(async ({ payment }) => (await undoneOf(app, payment)).map(([type]) => type))
  assert.deepEqual(await Promise.all(kinds), [
    ['disputed'],
    ['disputed', 'won_dispute'],
    ['disputed', 'lost_dispute'],
    [],
  ])
  const ended = await Promise.all(
    bought.map(async ({ licenseId }) => (await licenseOf(licenseId)).is_cancelled),
  )
  assert.deepEqual(ended, [false, false, true, false])
  assert.deepEqual(await ledgerFaults(app), [])
})
