import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { DAY, HOUR } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_methods')
  shop = await changeShop(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
const UPDATE = { is_payment_method_update: true }

const refundsOf = (paymentId: string) =>
  app.ctx.db
    .selectFrom('charges')
    .select(['amount', 'state'])
    .where('payment_id', '=', Number(paymentId))
    .where('purpose', '=', 'refund')
    .execute()

test('another method of payment charges nothing where nothing is owed, and pays the next renewal', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  const { json: session, text } = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.deepEqual(
    [session.action, session.quote.total, session.change.kind, session.renewal.at, session.renewal.total],
    ['payment_method_update', 0, 'payment_method', '2026-02-28 10:00:00', 10],
    text,
  )
  assert.equal(session.quote.lines[0].rule, 'nothing_due')
  assert.deepEqual(codeOf(await shop.pay(session.id, null)), [402, 'missing_argument'])
  assert.deepEqual(codeOf(await shop.pay(session.id, 'test_declined')), [400, 'payment_declined'])
  const { json: paid, text: answer } = await shop.pay(session.id)
  assert.deepEqual([paid.state, paid.payment, paid.license_id], ['paid', null, bought.id], answer)
  const [old, active, ...more] = await shop.subscriptionsOf(bought.id)
  assert.deepEqual([more, old?.next_payment, active?.next_payment], [[], null, '2026-02-28 10:00:00'])
  assert.deepEqual([active?.period_start, active?.renewal_amount], ['2026-01-31 10:00:00', 1_000])
  assert.notEqual(active?.payment_method_id, old?.payment_method_id)
  assert.equal(paid.purchase.id, String(active?.id))
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  const payments = await shop.paymentsOf(bought.id)
  assert.deepEqual(
    payments.map(({ gross, is_renewal }) => [gross, is_renewal]),
    [
      [1_000, false],
      [1_000, true],
    ],
  )
  assert.equal((await shop.licenseOf(bought.id)).expiration, '2026-04-01 10:00:00')
})

test('no method of payment is asked for where no price of the plan is left', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' })
  const developer = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/plans.json`
  const plan = (await developer('POST', path, { name: 'unsold' })).json
  await app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({ plan_id: Number(plan.id), pricing_id: null })
      .where('license_id', '=', Number(bought.id))
      .execute(),
  )
  const refused = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.deepEqual(codeOf(refused), [404, 'not_found'], refused.text)
})

test('another method of payment pays what is owed at once, and the periods go on as if it had been in time', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  app.ctx.clock.advance(DAY)
  await renewNow(app)
  assert.equal((await shop.subscriptionOf(bought.id)).outstanding_balance, 10)
  const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.deepEqual([session.quote.total, session.quote.lines[0].rule], [10, 'outstanding_balance'])
  app.ctx.clock.advance(HOUR)
  const before = await shop.eventsOf(bought.id)
  const { json: paid, text } = await shop.pay(session.id)
  assert.deepEqual([paid.state, paid.payment.gross, paid.payment.is_renewal], ['paid', 10, true], text)
  const [old, active] = await shop.subscriptionsOf(bought.id)
  assert.ok(old?.canceled_at)
  assert.deepEqual(
    [active?.period_start, active?.next_payment, active?.due_at],
    ['2026-02-28 10:00:00', '2026-03-31 10:00:00', '2026-03-31 10:00:00'],
  )
  assert.deepEqual([active?.failed_payments, active?.outstanding_balance, active?.attempt], [0, 0, 0])
  assert.equal((await shop.licenseOf(bought.id)).expiration, '2026-04-01 10:00:00')
  assert.deepEqual((await shop.eventsOf(bought.id)).slice(before.length), [
    'subscription.cancelled',
    'subscription.created',
    'payment.created',
    'license.extended',
  ])
  const kinds = (await mailsTo(app, bought.email)).map(({ kind }) => kind)
  assert.ok(kinds.includes('renewed'), kinds.join())
  app.ctx.clock.set(Date.UTC(2026, 2, 8, 10))
  await renewNow(app)
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
  const charges = await app.ctx.db
    .selectFrom('charges')
    .select(['purpose', 'state'])
    .where('subscription_id', '=', old?.id ?? 0)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    charges.map(({ purpose, state }) => `${purpose} ${state}`),
    ['renewal declined', 'renewal declined', 'balance settled'],
  )
})

test('a renewal waits while its method of payment is replaced', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' })
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 9, 30))
  const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
  const { json: pending } = await shop.pay(session.id, 'test_needs_confirmation')
  assert.deepEqual([pending.state, typeof pending.confirmation_url], ['pending', 'string'])
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  assert.equal((await shop.paymentsOf(bought.id)).length, 1)
  assert.equal((await shop.pay(session.id, null)).json.state, 'paid')
  await renewNow(app)
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
})

test('a method of payment that is confirmed while a renewal is under way replaces nothing', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_pending')
  const [before] = await shop.subscriptionsOf(bought.id)
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 9, 30))
  const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10, 31))
  await renewNow(app)
  assert.deepEqual(codeOf(await shop.pay(session.id, null)), [400, 'checkout_repriced'])
  const [active, ...more] = await shop.subscriptionsOf(bought.id)
  assert.deepEqual(
    [active?.canceled_at, active?.payment_method_id, more],
    [null, before?.payment_method_id, []],
  )
})

test('what was paid too late for its price is given back as far as it is too much', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' })
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 9, 30))
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  // 27 of 28 days are over: 10 × 1 / 28 = 0.36 is off 20.
  assert.equal(session.quote.total, 19.64)
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10, 31))
  await renewNow(app)
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
  const { json: paid } = await shop.pay(session.id, null)
  assert.deepEqual([paid.state, paid.payment.gross], ['paid', 19.64])
  const refunds = await refundsOf(paid.payment.id)
  // The renewal of that day is all left: 20 − 10 = 10.
  assert.deepEqual(refunds, [{ amount: 964, state: 'started' }])
  const active = (await shop.subscriptionsOf(bought.id)).filter(({ canceled_at: at }) => at === null)
  assert.deepEqual(
    active.map(({ plan_id, next_payment }) => [String(plan_id), next_payment]),
    [[shop.plans.pro, '2026-03-28 10:31:00']],
  )
})

test('what was paid for a license that was cancelled meanwhile is given back', async () => {
  const bought = await shop.buy()
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  await app.call('DELETE', `${shop.base}/licenses/${bought.id}.json`)
  const { json: paid, text } = await shop.pay(session.id, null)
  assert.equal(paid.state, 'paid', text)
  const refunds = await refundsOf(paid.payment.id)
  assert.deepEqual(refunds, [{ amount: session.quote.total * 100, state: 'started' }])
  const { plan_id: planId, is_cancelled: isCancelled } = await shop.licenseOf(bought.id)
  assert.deepEqual([planId, isCancelled], [shop.plans.basic, true])
})

test('what was paid for a subscription that was cancelled meanwhile is given back', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  await app.call('DELETE', `${shop.base}/licenses/${bought.id}/subscription.json`)
  const { json: paid, text } = await shop.pay(session.id, null)
  assert.equal(paid.state, 'paid', text)
  assert.deepEqual(await refundsOf(paid.payment.id), [{ amount: 1_000, state: 'started' }])
  assert.equal((await shop.subscriptionsOf(bought.id)).length, 1)
  assert.equal((await shop.licenseOf(bought.id)).expiration, '2026-03-01 10:00:00')
})

test('what was off the next renewal not to cancel is off it with another method of payment too', async () => {
  const bought = await shop.buy({ billing_cycle: 'monthly' })
  const stay = { code: 'STAY', discount: 30, discount_type: 'percentage' }
  const { json: coupon } = await app.call('POST', `${shop.base}/coupons.json`, { body: stay })
  await app.call('PUT', `${shop.base}/coupons/${coupon.id}/special/subscription_cancellation.json`)
  const { id } = await shop.subscriptionOf(bought.id)
  const stayed = await app.call('PUT', `${shop.base}/subscriptions/${id}.json`, {
    body: { coupon_id: coupon.id },
  })
  assert.equal(stayed.status, 200, stayed.text)
  const { json: session } = await shop.openFor(bought.id, UPDATE, UPDATE)
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  const grosses = (await shop.paymentsOf(bought.id)).map(({ gross }) => gross)
  assert.deepEqual(grosses, [1_000, 700])
})

test('what nothing renews has no method of payment to replace', async () => {
  const forever = await shop.buy({ billing_cycle: 'lifetime' })
  const opened = await shop.open({ license_key: forever.key, ...UPDATE })
  assert.deepEqual(codeOf(opened), [400, 'license_lifetime'])
  const ended = await shop.buy()
  const { json: session } = await shop.openFor(ended.id, UPDATE, UPDATE)
  await app.call('DELETE', `${shop.base}/licenses/${ended.id}/subscription.json`)
  assert.deepEqual(codeOf(await shop.open({ license_key: ended.key, ...UPDATE })), [400, 'no_subscription'])
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'no_subscription'])
  assert.deepEqual(codeOf(await shop.open(UPDATE)), [400, 'invalid_argument'])
})
