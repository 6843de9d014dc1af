import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { mailsTo } from '../../../test/mails.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('trial_ends')
  shop = await trialShop(app)
})
after(() => app.close())

test('a trial that is cancelled is not charged, and its license ends with it', async () => {
  const { purchase, trial, license_id: licenseId } = await shop.tried()
  const ends = trial.trial_ends_at
  await advanceTo(app, shop.inDays(1))
  await app.call('DELETE', `${shop.base}/subscriptions/${purchase.id}.json`)
  const license = await shop.get(`/licenses/${licenseId}.json`)
  assert.deepEqual([license.expiration, license.is_cancelled], [ends, false])
  assert.notEqual((await shop.trialOf(trial.id)).canceled_at, null)
  await advanceTo(app, shop.inDays(30))
  assert.deepEqual(await shop.paymentsOf(purchase.id), [])
  assert.deepEqual(await shop.firedFor(licenseId), ['expired'])
})

test('a trial whose end is not paid is asked for as a renewal is, and then cancelled', async () => {
  const { purchase, trial, license_id: licenseId } = await shop.tried({}, 'test_renewal_declined')
  await advanceTo(app, shop.inDays(40))
  assert.deepEqual(await shop.paymentsOf(purchase.id), [])
  const fired = await shop.firedFor(licenseId)
  assert.deepEqual(
    fired.filter((what) => what !== 'mailed'),
    ['failed', 'failed', 'expired', 'failed', 'failed', 'cancelled'],
  )
  const license = await shop.get(`/licenses/${licenseId}.json`)
  assert.deepEqual([license.is_cancelled, (await shop.trialOf(trial.id)).converted_at], [true, null])
})

test('a trial whose end is paid late is converted then', async () => {
  const { purchase, trial, license_id: licenseId } = await shop.tried({}, 'test_renewal_attempt_2')
  const ends = trial.trial_ends_at
  await advanceTo(app, shop.inDays(16))
  assert.deepEqual(
    (await shop.paymentsOf(purchase.id)).map(({ is_renewal, processed_at }) => [is_renewal, processed_at]),
    [[false, toUtcTime(Date.parse(`${ends}Z`) + DAY)]],
  )
  assert.notEqual((await shop.trialOf(trial.id)).converted_at, null)
  assert.equal((await shop.get(`/subscriptions/${purchase.id}.json`)).next_payment.slice(5), ends.slice(5))
  assert.ok((await shop.firedFor(licenseId)).includes('converted'))
})

test('who buys during a trial has converted it, and is not charged at its end', async () => {
  const begun = await shop.tried()
  await advanceTo(app, shop.inDays(3))
  const who = { user_email: begun.email, country_code: 'US' }
  const { json: session } = await shop.open({ ...who, plan_id: shop.free.planId })
  const { json: bought, text } = await shop.pay(session.id, 'test_succeeds')
  assert.equal(bought.state, 'paid', text)
  const trial = await shop.trialOf(begun.trial.id)
  assert.deepEqual([trial.converted_at === null, trial.payment_id], [false, bought.payment.id])
  assert.notEqual((await shop.get(`/subscriptions/${begun.purchase.id}.json`)).canceled_at, null)
  const license = await shop.get(`/licenses/${begun.license_id}.json`)
  assert.deepEqual([license.is_cancelled, license.expiration], [false, begun.trial.trial_ends_at])
  await advanceTo(app, shop.inDays(30))
  assert.deepEqual(await shop.paymentsOf(begun.purchase.id), [])
})

test('a purchase that is declined leaves the end of the trial to be charged', async () => {
  const begun = await shop.tried()
  const { json: session } = await shop.open({
    user_email: begun.email,
    country_code: 'US',
    plan_id: shop.free.planId,
  })
  assert.deepEqual(codeOf(await shop.pay(session.id, 'test_declined')), [400, 'payment_declined'])
  await advanceTo(app, shop.inDays(15))
  assert.equal((await shop.paymentsOf(begun.purchase.id)).length, 1)
})

test('a method that must be confirmed begins the trial once it was', async () => {
  const who = shop.someone()
  const { json: session } = await shop.open({ ...who, plan_id: shop.paid.planId, trial: 'paid' })
  const pending = await shop.pay(session.id, 'test_needs_confirmation')
  assert.deepEqual([pending.json.state, pending.json.trial], ['pending', null], pending.text)
  const { json } = await shop.pay(session.id)
  assert.deepEqual([json.state, json.trial?.with_payment_method], ['paid', true])
})

test('the end of a trial that the seller moves is the time at which it is charged', async () => {
  const { purchase, trial, license_id: licenseId } = await shop.tried()
  const expires = toUtcTime(Date.parse(`${trial.trial_ends_at}Z`) + 11 * DAY)
  const body = { expiration: expires, update_subscription_renewal_date: true }
  const moved = await app.call('PUT', `${shop.base}/licenses/${licenseId}.json`, { body })
  assert.equal(moved.status, 200, moved.text)
  const ends = toUtcTime(Date.parse(`${trial.trial_ends_at}Z`) + 10 * DAY)
  assert.equal((await shop.trialOf(trial.id)).trial_ends_at, ends)
  await advanceTo(app, shop.inDays(20))
  assert.deepEqual(await shop.paymentsOf(purchase.id), [])
  await advanceTo(app, shop.inDays(6))
  assert.deepEqual(
    (await shop.paymentsOf(purchase.id)).map(({ is_renewal, processed_at }) => [is_renewal, processed_at]),
    [[false, ends]],
  )
})

test('a trial whose license the seller cancels is not charged, and nobody is told of its end', async () => {
  const { purchase, trial, license_id: licenseId, email } = await shop.tried()
  assert.equal((await app.call('DELETE', `${shop.base}/licenses/${licenseId}.json`)).status < 300, true)
  assert.notEqual((await shop.trialOf(trial.id)).canceled_at, null)
  const who = { user_email: 'free-cancelled@example.com' }
  const { json: session } = await shop.open({ ...who, plan_id: shop.free.planId, trial: 'true' })
  await shop.pay(session.id)
  const [begun] = (await shop.get('/trials.json?count=1')).trials
  const cancelled = await app.call('DELETE', `${shop.base}/licenses/${begun.license_id}.json`)
  assert.ok(cancelled.status < 300, cancelled.text)
  await advanceTo(app, shop.inDays(20))
  assert.deepEqual(await shop.paymentsOf(purchase.id), [])
  for (const to of [email, who.user_email]) {
    const kinds = (await mailsTo(app, to)).map(({ kind }) => kind)
    assert.ok(!kinds.includes('trial_expiring') && !kinds.includes('trial_converted'), kinds.join())
  }
})

/** Goes to the checkout of a license, which the body names. */
async function payFor(body: object) {
  const { json: session, text } = await shop.open({ country_code: 'US', ...body })
  assert.ok(session.id, text)
  const { json, text: paid } = await shop.pay(session.id, 'test_succeeds')
  assert.equal(json.state, 'paid', paid)
  return json
}

/** Goes there with its key. */
const payWithKey = (license_key: string, body: object = {}) => payFor({ license_key, ...body })

test('another method of payment is what the end of a trial is charged to', async () => {
  const { trial, license_id } = await shop.tried({}, 'test_renewal_declined')
  const update = { is_payment_method_update: true }
  const link = `${shop.base}/licenses/${license_id}/checkout/link.json`
  const { authorization } = (await app.call('POST', link, { body: update })).json.settings
  await payFor({ license_id, authorization, ...update })
  const after = await shop.trialOf(trial.id)
  assert.deepEqual([after.canceled_at, after.converted_at], [null, null])
  assert.notEqual(after.subscription_id, trial.subscription_id)
  await advanceTo(app, shop.inDays(15))
  const [payment, ...others] = await shop.paymentsOf(after.subscription_id)
  assert.deepEqual([payment?.is_renewal, payment?.processed_at, others], [false, trial.trial_ends_at, []])
  assert.equal((await shop.trialOf(trial.id)).converted_at, trial.trial_ends_at)
})

test('a first payment that failed is paid by another method of payment, and converts the trial', async () => {
  const { trial, license_id: id, license_key: key } = await shop.tried({}, 'test_renewal_declined')
  await advanceTo(app, shop.inDays(16))
  await payWithKey(key, { is_payment_method_update: true })
  const { converted_at, payment_id, subscription_id } = await shop.trialOf(trial.id)
  const [payment, ...others] = await shop.paymentsOf(subscription_id)
  assert.deepEqual([payment?.gross, payment?.is_renewal, others], [4_999, false, []])
  assert.deepEqual([converted_at === null, payment_id], [false, String(payment?.id)])
  const { expiration } = await shop.get(`/licenses/${id}.json`)
  assert.equal(expiration, toUtcTime(Date.parse(`2027${trial.trial_ends_at.slice(4)}Z`) + DAY))
})

test('whoever pays for the license of a trial has bought that license, and is not charged at its end', async () => {
  const begun = await shop.tried()
  const bought = await payWithKey(begun.license_key)
  assert.deepEqual([bought.license_id, bought.payment.is_renewal], [begun.license_id, false])
  const { canceled_at, converted_at, payment_id } = await shop.trialOf(begun.trial.id)
  assert.deepEqual([canceled_at, converted_at === null, payment_id], [null, false, bought.payment.id])
  await advanceTo(app, shop.inDays(30))
  assert.deepEqual(await shop.paymentsOf(begun.purchase.id), [])
  const license = await app.ctx.db
    .selectFrom('licenses')
    .select(['is_trial', 'is_cancelled'])
    .where('id', '=', Number(begun.license_id))
    .executeTakeFirstOrThrow()
  assert.deepEqual([license.is_trial, license.is_cancelled], [false, false])
  const { events } = await shop.get('/events.json?type=license.extended&count=1')
  const [{ data }] = events
  assert.deepEqual([data.license_id, 'is_renewal' in data], [begun.license_id, false])
})
