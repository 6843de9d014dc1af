import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import { trialShop, type TrialShop } from '../../../test/trials.ts'
import { DAY } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
let trials: TrialShop
before(async () => {
  app = await startTestApp('checkout_owed_shown')
  shop = await changeShop(app)
  trials = await trialShop(app)
})
after(() => app.close())

const UPDATE = { is_payment_method_update: true }

/** A month whose renewal failed once, the days after its end that are given. */
async function owing(days: number, change: (bought: Bought) => Promise<void> = async () => {}) {
  app.ctx.clock.set(START)
  const bought = await shop.buy({ billing_cycle: 'monthly' }, 'test_renewal_declined')
  await change(bought)
  app.ctx.clock.set(Date.UTC(2026, 1, 28, 10))
  await renewNow(app)
  app.ctx.clock.advance(days * DAY)
  return bought.id
}

type Bought = Awaited<ReturnType<ChangeShop['buy']>>

/** The checkout that pays what a license owes, paid, and what stands after it. */
async function payOwed(id: string) {
  const { json: shown, text } = await shop.openFor(id, UPDATE, UPDATE)
  assert.equal(shown.quote?.lines[0].rule, 'outstanding_balance', text)
  const { json: paid, text: answer } = await shop.pay(shown.id)
  assert.equal(paid.state, 'paid', answer)
  const subscription = await shop.subscriptionOf(id)
  assert.equal(subscription.id, paid.purchase.id)
  const { expiration, user_id: userId } = await shop.licenseOf(id)
  const { email } = await shop.get(`/users/${userId}.json`)
  const receipts = (await mailsTo(app, email)).filter(
    ({ kind, invoiceOf }) => kind === 'receipt' || invoiceOf === Number(paid.payment.id),
  )
  return { shown, subscription, receipts: kindsOf(receipts), expiration }
}

for (const { days, at } of [
  { days: 2, at: '2026-03-31 10:00:00' },
  { days: 108, at: '2026-06-30 10:00:00' },
]) {
  test(`what is owed for ${days} days is shown with the renewal after it and the end of the license that it pays`, async () => {
    const { shown, subscription, expiration } = await payOwed(await owing(days))
    assert.deepEqual([shown.renewal.at, shown.renewal.gross], [at, 10])
    assert.deepEqual(
      [shown.renewal.at, shown.renewal.gross, shown.change.expiration],
      [subscription.next_payment, subscription.renewal_amount, expiration],
    )
  })
}

test('a coupon for a single renewal is off what is owed, and not off the renewal that is shown after it', async () => {
  const developer = await asDeveloper(app)
  const body = { code: 'STAY', discount: 30, discount_type: 'percentage' }
  const coupon = await developer('POST', `${shop.base}/coupons.json`, body)
  const special = `${shop.base}/coupons/${coupon.json.id}/special/subscription_cancellation.json`
  await developer('PUT', special)
  const id = await owing(0, async ({ purchase }) => {
    const take = { body: { coupon_id: coupon.json.id } }
    const taken = await app.call('PUT', `${shop.base}/subscriptions/${purchase.id}.json`, take)
    assert.equal(taken.status, 200, taken.text)
  })
  const { shown, subscription } = await payOwed(id)
  assert.deepEqual(
    [shown.quote.gross, shown.renewal.gross, subscription.renewal_amount],
    [7, 10, 10],
    JSON.stringify(shown),
  )
  await developer('DELETE', special)
})

test('a renewal that is paid in a checkout is mailed once, with its invoice', async () => {
  assert.equal((await payOwed(await owing(0))).receipts, 'receipt renewed')
})

test('the first payment of a trial that is owed is shown with the renewal and the end that follow it, and mailed once', async () => {
  const { license_id: id } = await trials.tried({}, 'test_renewal_declined')
  await advanceTo(app, trials.inDays(16))
  const { shown, subscription, expiration, receipts } = await payOwed(id)
  assert.deepEqual([shown.renewal.gross, receipts], [49.99, 'trial_converted'])
  assert.deepEqual(
    [shown.renewal.at, shown.renewal.gross, shown.change.expiration],
    [subscription.next_payment, subscription.renewal_amount, expiration],
  )
})

test('what is paid once after a trial and is owed is shown without a renewal, and the license as without end', async () => {
  const { license_id: id } = await trials.tried({ billing_cycle: 'lifetime' }, 'test_renewal_declined')
  await advanceTo(app, trials.inDays(16))
  const { shown, subscription, expiration } = await payOwed(id)
  assert.deepEqual([shown.renewal, shown.change.expiration], [null, null])
  assert.deepEqual([subscription.next_payment, expiration], [null, null])
})
