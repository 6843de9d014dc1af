import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'

let app: TestApp
let shop: ChangeShop
let developer: CallAs
before(async () => {
  app = await startTestApp('special_offers')
  shop = await changeShop(app)
  developer = await asDeveloper(app)
})
beforeEach(() => app.ctx.database.transaction((db) => db.deleteFrom('special_coupons').execute()))
after(() => app.close())

let count = 0

/** The code of a coupon that the product offers for a purpose. */
async function offer(type: string, more: object = {}) {
  const code = `OFFER${++count}`
  const body = { code, discount: 20, discount_type: 'percentage', is_active: true, ...more }
  const made = await app.call('POST', `${shop.base}/coupons.json`, { body })
  assert.equal(made.status, 201, made.text)
  const special = await app.call('PUT', `${shop.base}/coupons/${made.json.id}/special/${type}.json`)
  assert.equal(special.status, 201, special.text)
  return { code, id: made.json.id as string }
}

/** The address of the checkout in the mail about the end of a license that nothing renews. */
async function renewalAddress(email: string, id: string) {
  const sent = await app.call('POST', `${shop.base}/licenses/${id}/renewals.json`)
  assert.deepEqual(sent.json, { sent: true })
  const mail = (await mailsTo(app, email)).findLast(({ kind }) => kind === 'license_expiring')
  const [link = ''] = /http:\/\/keywright\.test\/checkout\/\S+/.exec(mail?.text ?? '') ?? []
  return Object.fromEntries(new URL(link).searchParams)
}

test('the coupon for manual renewals is in the link that renews by hand, and takes its share off', async () => {
  const sold = await shop.buy()
  await app.call('DELETE', `${shop.base}/subscriptions/${sold.purchase.id}.json`)
  assert.equal('coupon' in (await renewalAddress(sold.email, sold.id)), false)
  const { code } = await offer('manual_renewals_discount')
  const query = await renewalAddress(sold.email, sold.id)
  assert.equal(query['coupon'], code)
  const { json: session } = await shop.open(query)
  assert.deepEqual(session.discount, { code, applies: true, reason: null })
  assert.deepEqual([session.change.kind, session.quote.gross], ['renewal', 80])
  assert.equal((await shop.pay(session.id)).json.payment.gross, 80)
})

test('a coupon that is off, over or of another plan is in no link', async () => {
  const sold = await shop.buy()
  await app.call('DELETE', `${shop.base}/subscriptions/${sold.purchase.id}.json`)
  for (const more of [
    { is_active: false },
    { start_date: '2020-01-01 00:00:00', end_date: '2020-02-01 00:00:00' },
    { plans: shop.plans.pro },
  ]) {
    await offer('manual_renewals_discount', more)
    assert.equal('coupon' in (await renewalAddress(sold.email, sold.id)), false, JSON.stringify(more))
  }
})

test('the coupon for loyalty is off every renewal and not off the first payment, unless the product takes more off', async () => {
  await offer('renewals_discount')
  const bought = await shop.buy()
  const { json } = await app.call('GET', `${shop.base}/subscriptions/${bought.purchase.id}.json`)
  assert.deepEqual(
    [json.initial_amount, json.renewal_amount, json.renewals_discount, json.renewals_discount_type],
    [100, 80, 20, 'percentage'],
  )
  await offer('renewals_discount', { discount: 15, discount_type: 'dollar' })
  const dollars = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, billing_cycle: 'monthly' })
  assert.deepEqual([dollars.json.quote.gross, dollars.json.renewal.gross], [10, 0])
  const terms = { annual_renewals_discount: 30, renewals_discount_type: 'percentage' }
  assert.equal((await developer('PUT', `${shop.base}.json`, terms)).status, 200)
  const year = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic })
  assert.deepEqual([year.json.quote.gross, year.json.renewal.gross], [100, 70])
  const none = { annual_renewals_discount: null, renewals_discount_type: 'percentage' }
  assert.equal((await developer('PUT', `${shop.base}.json`, none)).status, 200)
})

test('who leaves before typing an address is offered the coupon for that, which the checkout takes', async () => {
  const open = async (body: object = {}) =>
    (await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic, ...body })).json
  assert.equal((await open()).exit_intent, null)
  const { code } = await offer('exit_intent')
  const session = await open()
  assert.deepEqual(session.exit_intent, { code, amount: 20, seconds: 3600 })
  assert.equal(session.discount, null, 'it is offered, not taken')
  const taken = await shop.call('PUT', `/${session.id}.json`, { coupon: code })
  assert.deepEqual(
    [taken.json.discount, taken.json.quote.gross, taken.json.exit_intent],
    [{ code, applies: true, reason: null }, 80, null],
  )
  assert.equal((await open({ user_email: 'typed@example.com' })).exit_intent, null)
  await offer('exit_intent', { plans: shop.plans.pro })
  assert.equal((await open()).exit_intent, null, 'it is for another plan')
})

test('a checkout tells the terms of refunds of its product', async () => {
  const told = async () => {
    const { json } = await shop.open({ ...shop.sandbox(), plan_id: shop.plans.basic })
    const {
      money_back_period: days,
      refund_policy: policy,
      is_consumptive_usage: isConsumptive,
    } = json.product
    return [days, policy, isConsumptive]
  }
  const before = await told()
  const update = { money_back_period: 14, refund_policy: 'strict' }
  assert.equal((await developer('PUT', `${shop.base}.json`, update)).status, 200)
  const { settings } = await shop.get('/settings.json')
  const { id } = settings.find(({ setting_type: type }: { setting_type: number }) => type === 4)
  const body = { data: JSON.stringify({ is_consumptive_usage: true }) }
  assert.equal((await app.call('PUT', `${shop.base}/settings/${id}.json`, { body })).status, 200)
  assert.notDeepEqual(before, await told())
  assert.deepEqual(await told(), [14, 'strict', true])
})

test('a product that does not expose license keys shows none after a purchase, and mails none', async () => {
  const expose = (is: boolean) => developer('PUT', `${shop.base}.json`, { expose_license_key: is })
  assert.equal((await expose(false)).status, 200)
  const hidden = await shop.buy()
  assert.ok(hidden.id)
  assert.equal(hidden.key, null)
  const { secret_key: key } = await shop.licenseOf(hidden.id)
  await app.call('POST', `${shop.base}/licenses/resend.json`, { body: { email: hidden.email } })
  const mails = await mailsTo(app, hidden.email)
  const about = mails.filter(({ kind }) => kind.startsWith('license'))
  assert.ok(about.length > 0)
  for (const { text, html } of about) {
    assert.ok(!text.includes(key) && !html.includes(key) && !html.includes('<code'), text)
    assert.ok(!text.includes('Keep this mail') && !text.includes('license key'), text)
    assert.match(text, /basic, ends on/)
  }
  assert.equal((await expose(true)).status, 200)
  const shown = await shop.buy()
  assert.equal(shown.key, (await shop.licenseOf(shown.id)).secret_key)
  const [mail] = (await mailsTo(app, shown.email)).filter(({ kind }) => kind === 'license')
  assert.ok(mail?.text.includes(shown.key) && mail.text.includes('Keep this mail'))
})
