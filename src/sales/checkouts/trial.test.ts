import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf } from '../../../test/activations.ts'
import { asInstall } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk, holding, keysOf } from '../../../test/installs.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { offerFor } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('checkout_trial')
  shop = await trialShop(app)
})
after(() => app.close())

test('a free trial asks for no method of payment and no place, and ends by itself', async () => {
  const who = { user_email: 'free@example.com' }
  const redirect_url = 'https://shop.example/thanks'
  const opened = await shop.open({ ...who, plan_id: shop.free.planId, trial: 'true', redirect_url })
  const { json: session } = opened
  assert.deepEqual(
    [session.action, session.trial, session.quote.total, session.after_trial, session.renewal],
    ['trial', 'free', 0, null, null],
    opened.text,
  )
  const ends = shop.inDays(7)
  assert.equal(session.trial_ends_at, ends)
  const { json, status, text } = await shop.pay(session.id)
  assert.equal(status, 200, text)
  assert.deepEqual([json.purchase, json.payment, json.trial.trial_ends_at], [null, null, ends])
  assert.equal(json.trial.with_payment_method, false)
  const { id: trialId, license_id: licenseId } = (await shop.get('/trials.json?count=1')).trials[0]
  const query = new URL(json.redirect_url).searchParams
  assert.deepEqual(
    [query.get('action'), query.get('trial'), query.get('trial_ends_at')],
    ['trial', 'free', ends],
  )
  const license = await shop.get(`/licenses/${licenseId}.json`)
  assert.deepEqual([license.expiration, license.quota, license.is_block_features], [ends, 3, true])
  const kinds = async () => (await mailsTo(app, who.user_email)).map(({ kind }) => kind)
  assert.deepEqual(await kinds(), ['license'])
  await advanceTo(app, shop.inDays(8))
  assert.deepEqual(await shop.firedFor(licenseId), ['mailed', 'expired'])
  assert.deepEqual(await kinds(), ['license', 'trial_expiring'])
  const [, notice] = await mailsTo(app, who.user_email)
  assert.match(notice?.text ?? '', new RegExp(`/checkout/product/${app.seller.product.id}/plan/\\d+/\n`))
  assert.doesNotMatch(notice?.text ?? '', /\/portal\//)
  assert.equal((await shop.trialOf(trialId)).converted_at, null)
})

test('a trial with a method of payment says what it costs when it ends, and charges that then', async () => {
  const coupon = { code: 'FIRST', discount: 50, discount_type: 'percentage', redemptions_limit: 1 }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status, 201)
  const ends = shop.inDays(14)
  const first = { ...shop.someone(), plan_id: shop.paid.planId, trial: 'true', coupon: 'FIRST' }
  const { json: session, text } = await shop.open(first)
  assert.deepEqual([session.trial, session.quote.total, session.trial_ends_at], ['paid', 0, ends], text)
  const { at, gross, total, lines } = session.after_trial
  assert.deepEqual([at, gross, total], [ends, 24.99, 24.99])
  assert.deepEqual(
    lines.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]),
    [
      ['price', 49.99],
      ['coupon', -25],
      ['tax', 0],
    ],
  )
  assert.deepEqual([session.renewal.at.slice(0, 4), session.renewal.total], ['2027', 49.99])
  assert.deepEqual(codeOf(await shop.pay(session.id)), [402, 'missing_argument'])
  assert.deepEqual(codeOf(await shop.pay(session.id, 'test_declined')), [400, 'payment_declined'])
  const { json } = await shop.pay(session.id, 'test_succeeds')
  const { purchase, license_id: licenseId } = json
  assert.deepEqual(
    [purchase.trial_ends, purchase.next_payment, purchase.initial_amount, purchase.renewal_amount],
    [ends, ends, 24.99, 49.99],
  )
  assert.equal(json.payment, null)
  assert.deepEqual(await shop.paymentsOf(purchase.id), [])

  await advanceTo(app, shop.inDays(14, -SECOND))
  assert.deepEqual(await shop.firedFor(licenseId), ['mailed'])
  const [, reminder] = await mailsTo(app, first.user_email)
  assert.match(reminder?.text ?? '', /24\.99 USD/)
  await app.call('DELETE', `${shop.base}/coupons/${(await shop.get('/coupons.json')).coupons[0].id}.json`)
  await advanceTo(app, shop.inDays(1))
  const [payment, ...others] = await shop.paymentsOf(purchase.id)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [payment?.gross, payment?.is_renewal, payment?.processed_at, payment?.gateway],
    [2_499, false, ends, 'test'],
  )
  const after = await shop.get(`/subscriptions/${purchase.id}.json`)
  const [year, rest] = ['2027', ends.slice(4)]
  assert.deepEqual([after.next_payment, after.failed_payments], [year + rest, 0])
  assert.deepEqual(await shop.firedFor(licenseId), ['mailed', 'converted'])
  const trial = await shop.trialOf(json.trial.id)
  assert.deepEqual([trial.converted_at, trial.payment_id], [ends, String(payment?.id)])
  const license = await app.ctx.db
    .selectFrom('licenses')
    .selectAll()
    .where('id', '=', Number(licenseId))
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [license.is_trial, license.expiration],
    [false, toUtcTime(Date.parse(`${year}${rest}Z`) + DAY)],
  )
  assert.deepEqual(
    (await mailsTo(app, first.user_email)).map(({ kind }) => kind),
    ['license', 'trial_expiring', 'trial_converted'],
  )
  const [, notice] = await mailsTo(app, first.user_email)
  assert.match(notice?.text ?? '', /cancel it before then\.\n\n.*: http\S+\/portal\/login\?token=\S+\n/)
  assert.doesNotMatch(notice?.text ?? '', /\/checkout\//)
  await advanceTo(app, `${year}-12-31 00:00:00`)
  assert.deepEqual(
    (await shop.paymentsOf(purchase.id)).map(({ gross, is_renewal }) => [gross, is_renewal]),
    [
      [2_499, false],
      [4_999, true],
    ],
  )
})

test('what is tried for good is paid once, and never ends', async () => {
  const { purchase, license_id: licenseId } = await shop.tried({ billing_cycle: 'lifetime' })
  assert.deepEqual([purchase.billing_cycle, purchase.initial_amount], [0, 200])
  await advanceTo(app, shop.inDays(400))
  assert.deepEqual(
    (await shop.paymentsOf(purchase.id)).map(({ gross, billing_cycle }) => [gross, billing_cycle]),
    [[20_000, 0]],
  )
  const license = await shop.get(`/licenses/${licenseId}.json`)
  assert.deepEqual([license.expiration, license.is_cancelled], [null, false])
  const after = await shop.get(`/subscriptions/${purchase.id}.json`)
  assert.deepEqual([after.next_payment, after.canceled_at === null], [null, false])
})

test('which trial a plan has is its own: none, a free one, or one with a method of payment', async () => {
  const none = await offerFor(app, 1)
  const cases = [
    [none.planId, 'true', 'trial_not_available'],
    [shop.paid.planId, 'free', 'trial_not_available'],
    [shop.paid.planId, 'true', 'paid'],
    [shop.free.planId, 'true', 'free'],
    [shop.free.planId, 'paid', 'paid'],
  ] as const
  for (const [plan_id, trial, expected] of cases) {
    const { json } = await shop.open({ plan_id, trial })
    assert.equal(json.trial ?? json.error.code, expected, `${plan_id} ${trial}`)
  }
  const { json: session } = await shop.open({ ...shop.someone(), plan_id: shop.free.planId, trial: 'free' })
  const changed = await app.call('PUT', `/checkout/sessions/${session.id}.json`, {
    token: null,
    body: { plan_id: shop.paid.planId },
  })
  assert.deepEqual(codeOf(changed), [400, 'trial_not_available'])
})

test('of several checkouts of one buyer at once one begins a trial, and no later one does', async () => {
  const who = shop.someone()
  const sessions = await Promise.all(
    Array.from({ length: 6 }, () =>
      shop.open({ ...who, cart: false, plan_id: shop.paid.planId, trial: 'true' }),
    ),
  )
  const replies = await Promise.all(sessions.map(({ json }) => shop.pay(json.id, 'test_succeeds')))
  const codes = replies.map((reply) => codeOf(reply)[1] ?? 'begun')
  assert.deepEqual(codes.toSorted(), ['begun', ...Array<string>(5).fill('trial_not_available')].toSorted())
  const rows = await app.ctx.db
    .selectFrom('trials')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .select('trials.id')
    .where('users.email', '=', who.user_email)
    .execute()
  assert.equal(rows.length, 1)
  app.ctx.clock.advance(2 * DAY)
  const { json: later } = await shop.open({ ...who, cart: false, plan_id: shop.free.planId, trial: 'true' })
  assert.deepEqual(codeOf(await shop.pay(later.id)), [400, 'trial_not_available'])
})

test('whoever begins a free trial for somebody who is known sees neither the name nor the key; they are mailed', async () => {
  const user_email = 'known@example.com'
  const body = { email: user_email, name: 'Known Person' }
  assert.equal((await app.call('POST', `${shop.base}/users.json`, { body })).status, 200)
  const redirect_url = 'https://shop.example/thanks'
  const { json: session } = await shop.open({
    user_email,
    plan_id: shop.free.planId,
    trial: 'true',
    redirect_url,
  })
  const { json, text } = await shop.pay(session.id)
  const said = { id: null, email: user_email, first: 'known', last: '', public_key: null, created: null }
  const userOf = ({ user: { resend_email_endpoint: _, ...user } }: typeof json) => user
  assert.deepEqual([json.state, userOf(json), json.license_key], ['paid', said, null], text)
  assert.ok(!text.includes('Known') && !text.includes('sk_'), text)
  const again = await shop.pay(session.id)
  assert.deepEqual([userOf(again.json), again.json.license_key], [said, null])
  const mails = await mailsTo(app, user_email)
  assert.match(mails.find(({ kind }) => kind === 'license')?.text ?? '', /sk_/)
})

test('a method that is confirmed after another checkout has begun the trial begins none, and is let go', async () => {
  const who = shop.someone()
  const start = async () =>
    (await shop.open({ ...who, cart: false, plan_id: shop.paid.planId, trial: 'paid' })).json.id
  const slow = await start()
  assert.equal((await shop.pay(slow, 'test_needs_confirmation')).json.state, 'pending')
  app.ctx.clock.advance(2 * HOUR)
  const fast = await shop.pay(await start(), 'test_succeeds')
  assert.equal(fast.json.state, 'paid', fast.text)
  assert.deepEqual(codeOf(await shop.pay(slow)), [400, 'checkout_repriced'])
  assert.deepEqual(codeOf(await shop.pay(slow, 'test_succeeds')), [400, 'trial_not_available'])
})

test('an install with the license of a trial says what it tries and until when, as long as it is tried', async () => {
  const clients = clientsOf(app)
  const { license_id: licenseId, purchase } = await shop.tried()
  const license = await shop.get(`/licenses/${licenseId}.json`)
  const ends = shop.inDays(14)
  const active = await clients.active(license)
  const said = async () => {
    const { trial_plan_id, trial_ends } = await shop.get(`/installs/${active.installId}.json`)
    return [trial_plan_id, trial_ends]
  }
  assert.deepEqual(await said(), [String(shop.paid.planId), ends])
  assert.equal((await clients.deactivate(active)).status, 200)
  assert.deepEqual(await said(), [null, null])
  await clients.active(license, { uid: active.uid })
  assert.deepEqual(await said(), [String(shop.paid.planId), ends])
  const moved = await app.call('PUT', `${shop.base}/licenses/${licenseId}.json`, {
    body: { expiration: shop.inDays(21), update_subscription_renewal_date: true },
  })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(await said(), [String(shop.paid.planId), shop.inDays(20)])
  await advanceTo(app, shop.inDays(21))
  assert.equal((await shop.paymentsOf(purchase.id)).length, 1)
  assert.deepEqual(await said(), [null, null])
})

test('a trial of the checkout is cancelled by the keys of a site on which it runs: it is over at once, everywhere, and never charged', async () => {
  const clients = clientsOf(app)
  const tried = await shop.tried()
  const license = await shop.get(`/licenses/${tried.license_id}.json`)
  const [active, second] = [await clients.active(license), await clients.active(license)]
  const other = await shop.tried()
  const site = (id: string) => shop.get(`/installs/${id}.json`)
  const { install } = holding(app, active.json)
  const cancel = (query = '') => install('DELETE', `/trials.json${query}`)
  const race = await Promise.all([1, 2, 3].map(() => cancel('?reason_ids=6&reason=dear')))
  assert.deepEqual(race.map(({ status }) => status).toSorted(), [200, 400, 400])
  const { trial_plan_id, trial_ends, license_id, plan_id } = await site(active.installId)
  assert.deepEqual([trial_plan_id, trial_ends, license_id, plan_id], [null, null, null, null])
  const elsewhere = await site(second.installId)
  assert.deepEqual([elsewhere.trial_plan_id, elsewhere.trial_ends], [null, null])
  assert.equal((await shop.get(`/licenses/${tried.license_id}.json`)).is_cancelled, true)
  const { canceled_at: ended } = await shop.get(`/subscriptions/${tried.purchase.id}.json`)
  assert.notEqual(ended, null)
  assert.notEqual((await shop.trialOf(tried.trial.id)).canceled_at, null)
  assert.deepEqual(codeOf(await cancel()), [400, 'no_trial'])
  const kinds = (await mailsTo(app, tried.email)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['license', 'license_cancelled'])
  const { events } = await shop.get('/events.json?type=subscription.cancelled')
  const told = events.find(({ data }: { data: object }) => JSON.stringify(data).includes(tried.purchase.id))
  assert.equal(told.data.reason, 'dear')
  await advanceTo(app, shop.inDays(16))
  assert.deepEqual(await shop.paymentsOf(tried.purchase.id), [])
  assert.equal((await shop.paymentsOf(other.purchase.id)).length, 1)
})

test("the owner of a site cancels no trial of another's license on it, the seller does", async () => {
  const { license_id: licenseId } = await shop.tried()
  const license = await shop.get(`/licenses/${licenseId}.json`)
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const at = `/installs/${install.id}`
  expectOk(await app.call('PUT', `${shop.base}${at}.json`, { body: { license_key: license.secret_key } }))
  const sign = asInstall(app, keysOf(install))
  assert.deepEqual(codeOf(await sign('DELETE', '/trials.json')), [400, 'no_trial'])
  assert.equal((await app.call('DELETE', `${shop.base}${at}/trials.json`)).status, 200)
})

test('a downgrade during a trial of the checkout ends what would be charged, and the plan stays until its end', async () => {
  const tried = await shop.tried()
  const ends = shop.inDays(14)
  const license = await shop.get(`/licenses/${tried.license_id}.json`)
  const { installId } = await clientsOf(app).active(license)
  const reply = await app.call('PUT', `${shop.base}/installs/${installId}/downgrade.json`, {
    body: { deactivate_license: false },
  })
  assert.deepEqual([reply.json.plan_id, reply.json.license_id], [license.plan_id, license.id], reply.text)
  assert.notEqual((await shop.get(`/subscriptions/${tried.purchase.id}.json`)).canceled_at, null)
  assert.equal((await shop.get(`/licenses/${license.id}.json`)).expiration, ends)
})
