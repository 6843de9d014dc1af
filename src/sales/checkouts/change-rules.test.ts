import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { allowRedirects } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { DAY, HOUR, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_change_rules')
  shop = await changeShop(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

test('who holds a license key and no more is told nothing of its owner', async () => {
  const bought = await shop.buy()
  await app.ctx.database.transaction((db) => allowRedirects(db, app))
  const opened = await shop.open({ license_key: bought.key, redirect_url: 'https://shop.example/' })
  const { json: session } = opened
  assert.deepEqual(session.buyer, {
    email: '',
    first: '',
    last: '',
    country_code: null,
    region: null,
    zip_postal_code: null,
    vat_id: null,
    vat_check: null,
    business_name: null,
    address_street: null,
    address_apt: null,
    address_city: null,
    is_readonly: true,
  })
  assert.deepEqual(codeOf(await shop.pay(session.id)), [402, 'missing_argument'])
  const changed = await shop.call('PUT', `/${session.id}.json`, {
    user_email: 'thief@example.com',
    country_code: 'us',
  })
  assert.equal(changed.json.buyer.email, '')
  const paid = await shop.pay(session.id)
  assert.deepEqual([paid.json.state, paid.json.user], ['paid', null])
  const all = [opened, changed, paid].map(({ text }) => text).join()
  for (const secret of [bought.email, 'Grace', 'Hopper']) assert.equal(all.includes(secret), false, secret)
  assert.equal(new URL(paid.json.redirect_url).searchParams.get('action'), 'license_update')
  const known = await shop.openFor(bought.id)
  assert.deepEqual(
    [known.json.buyer.email, known.json.buyer.first, known.json.buyer.is_readonly],
    [bought.email, 'Grace', true],
  )
})

test('a link opens the checkout of its own license, for a day, with what it was made for', async () => {
  const [bought, other] = [await shop.buy(), await shop.buy()]
  const made = await app.call('POST', `${shop.base}/licenses/${bought.id}/checkout/link.json`, {
    body: { plan_id: shop.plans.pro, billing_cycle: 'monthly' },
  })
  const { authorization } = made.json.settings
  const { json: session } = await shop.open({ license_id: bought.id, authorization })
  assert.deepEqual([session.plan.id, session.billing_cycle], [shop.plans.pro, 'monthly'])
  const refused = [400, 'invalid_authorization']
  assert.deepEqual(codeOf(await shop.open({ license_id: other.id, authorization })), refused)
  assert.deepEqual(codeOf(await shop.open({ license_id: bought.id, authorization: 'x.y.z' })), refused)
  assert.deepEqual(codeOf(await shop.open({ license_id: bought.id })), refused)
  app.ctx.clock.advance(DAY)
  assert.deepEqual(codeOf(await shop.open({ license_id: bought.id, authorization })), refused)
  assert.deepEqual(codeOf(await shop.open({ license_key: 'sk_nobody' })), [404, 'invalid_license_key'])
})

test('a user changes licenses of their own with their token, and no others', async () => {
  const [bought, other] = [await shop.buy(), await shop.buy()]
  const { user_id: userId } = await shop.licenseOf(bought.id)
  const token = async () =>
    (await app.call('POST', `${shop.base}/users/${userId}/tokens/checkout.json`)).json.token
  const { json: session } = await shop.open({ license_id: bought.id, user_token: await token() })
  assert.deepEqual([session.change.license_id, session.buyer.email], [bought.id, bought.email])
  const { status } = await shop.open({ license_id: other.id, user_token: await token() })
  assert.equal(status, 404)
})

test('two changes of a license at once charge for one, and leave one subscription', async () => {
  const bought = await shop.buy()
  app.ctx.clock.advance(HOUR)
  const sessions = await Promise.all(
    (['pro', 'pro', 'basic'] as const).map((plan) => shop.openFor(bought.id, { plan_id: shop.plans[plan] })),
  )
  const replies = await Promise.all(sessions.map(({ json }) => shop.pay(json.id)))
  const codes = replies.map((reply) => codeOf(reply)[1] ?? 'paid')
  assert.equal(codes.filter((code) => code === 'paid').length, 1, codes.join())
  for (const code of codes) {
    assert.ok(['paid', 'checkout_repriced', 'license_change_in_progress'].includes(code), code)
  }
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
  const active = (await shop.subscriptionsOf(bought.id)).filter(({ canceled_at: at }) => at === null)
  assert.equal(active.length, 1)
})

test('a change is not paid while its license is renewed, nor at another price than was told', async () => {
  const bought = await shop.buy()
  app.ctx.clock.advance(72 * DAY + 12 * HOUR)
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  assert.equal(session.quote.total, 119.73)
  app.ctx.clock.advance(12 * HOUR)
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'checkout_repriced'])
  assert.equal((await shop.call('GET', `/${session.id}.json`)).json.quote.total, 120)
  const [subscription] = await shop.subscriptionsOf(bought.id)
  const charge = (state: 'started' | 'settled') =>
    app.ctx.database.transaction(async (db) => {
      await db.deleteFrom('charges').where('key', '=', 'renewal:test').execute()
      await db
        .insertInto('charges')
        .values({
          key: 'renewal:test',
          product_id: app.seller.product.id,
          user_id: null,
          environment: 1,
          purpose: 'renewal',
          subscription_id: subscription?.id ?? 0,
          payment_id: null,
          amount: 100,
          currency: 'usd',
          gateway: 'test',
          state,
          external_id: null,
          details: null,
          outcome_id: null,
          lease_until: 0,
          settled_at: null,
          created: toUtcTime(START),
          updated: null,
        })
        .execute()
    })
  await charge('started')
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'renewal_in_progress'])
  await charge('settled')
  assert.deepEqual(codeOf(await shop.pay(session.id, undefined, { total: 119.73 })), [
    400,
    'checkout_repriced',
  ])
  const paid = await shop.pay(session.id, undefined, { total: 120 })
  assert.deepEqual([paid.json.state, paid.json.payment.gross], ['paid', 120], paid.text)
})

test('a declined change leaves the license as it was, and can be paid after it', async () => {
  const bought = await shop.buy()
  const before = [await shop.licenseOf(bought.id), await shop.subscriptionsOf(bought.id)]
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  assert.deepEqual(codeOf(await shop.pay(session.id, 'test_declined')), [400, 'payment_declined'])
  assert.deepEqual([await shop.licenseOf(bought.id), await shop.subscriptionsOf(bought.id)], before)
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
})

test('a license for life is not renewed, and one that was cancelled not changed', async () => {
  const forever = await shop.buy({ billing_cycle: 'lifetime' })
  assert.deepEqual(codeOf(await shop.open({ license_key: forever.key })), [400, 'license_lifetime'])
  const yearly = await shop.open({ license_key: forever.key, billing_cycle: 'annual' })
  assert.deepEqual(codeOf(yearly), [400, 'license_lifetime'])
  const gone = await shop.buy()
  const { json: session } = await shop.openFor(gone.id)
  await app.call('DELETE', `${shop.base}/licenses/${gone.id}.json`)
  assert.deepEqual(codeOf(await shop.open({ license_key: gone.key })), [400, 'license_cancelled'])
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'license_cancelled'])
})

/** A year of `pro`, of which more is left than a year of `basic` costs. */
async function creditedPro() {
  const bought = await shop.buy({ plan_id: shop.plans.pro })
  const [before] = await shop.subscriptionsOf(bought.id)
  assert.ok(before?.payment_method_id)
  return { ...bought, methodId: before.payment_method_id }
}

test('who holds a license key and no more changes nothing for nothing, and keeps the credit; its owner does', async () => {
  const bought = await creditedPro()
  const choice = { plan_id: shop.plans.basic, country_code: 'us' }
  const { json: session } = await shop.open({ license_key: bought.key, ...choice })
  assert.equal(session.quote.total, 0)
  for (const method of [null, 'test_succeeds']) {
    assert.deepEqual(codeOf(await shop.pay(session.id, method)), [400, 'owner_required'])
  }
  const [before, ...others] = await shop.subscriptionsOf(bought.id)
  assert.deepEqual([others.length, before?.canceled_at], [0, null])
  assert.equal((await shop.licenseOf(bought.id)).plan_id, shop.plans.pro)
  const { json: own } = await shop.openFor(bought.id, choice)
  assert.equal((await shop.pay(own.id, null)).json.state, 'paid')
  assert.equal((await shop.licenseOf(bought.id)).plan_id, shop.plans.basic)
})

test('who holds a license key and no more renews nothing for nothing, and the stored method of payment stays', async () => {
  const bought = await shop.buy()
  const coupon = { code: 'GRATIS', discount: 100, discount_type: 'percentage' }
  assert.ok((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status < 300)
  const { json: session } = await shop.open({ license_key: bought.key, coupon: 'GRATIS', country_code: 'us' })
  assert.deepEqual([session.change?.kind, session.quote.total], ['renewal', 0])
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'owner_required'])
  assert.equal((await shop.subscriptionsOf(bought.id)).length, 1)
})

test('a renewal with a coupon keeps the one that is off all renewals, and the better one counts', async () => {
  for (const [code, discount, has_renewals_discount] of [
    ['EACH10', 10, true],
    ['ONCE50', 50, false],
    ['ONCE5', 5, false],
    ['EACH50', 50, true],
  ] as const) {
    const body = { code, discount, discount_type: 'percentage', has_renewals_discount }
    assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  }
  const { id } = await shop.buy({ coupon: 'EACH10' })
  const pays = async (coupon: string) => {
    const { json: session } = await shop.openFor(id, { coupon })
    const paid = await shop.pay(session.id)
    assert.equal(paid.json.state, 'paid', paid.text)
    const { renewal_amount } = await shop.subscriptionOf(id)
    return [session.quote.gross, session.renewal.gross, renewal_amount]
  }
  assert.deepEqual(await pays('ONCE50'), [50, 90, 90])
  assert.deepEqual(await pays('ONCE5'), [90, 90, 90])
  assert.deepEqual(await pays('EACH50'), [50, 50, 50])
  const [each10] = (await shop.get('/coupons.json?code=EACH10')).coupons
  const [last] = (await shop.subscriptionsOf(id)).toReversed()
  assert.equal(last?.replaced_coupon_id, Number(each10.id))
})

test('who holds a license key and no more pays by a method of their own, also its renewals', async () => {
  const bought = await shop.buy()
  const [before] = await shop.subscriptionsOf(bought.id)
  const choice = { plan_id: shop.plans.pro, country_code: 'us' }
  const { json: session } = await shop.open({ license_key: bought.key, ...choice })
  assert.deepEqual(codeOf(await shop.pay(session.id, null)), [402, 'missing_argument'])
  const { json: paid, text } = await shop.pay(session.id)
  assert.equal(paid.state, 'paid', text)
  const [, active] = await shop.subscriptionsOf(bought.id)
  assert.ok(active?.payment_method_id)
  assert.notEqual(active.payment_method_id, before?.payment_method_id)
})

test('a license that has another owner is not renewed by the method of payment of the one before', async () => {
  const [bought, other] = [await creditedPro(), await shop.buy()]
  const { json: early } = await shop.openFor(bought.id, { plan_id: shop.plans.basic })
  const { user_id: owner } = await shop.licenseOf(other.id)
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('licenses')
      .set({ user_id: Number(owner) })
      .where('id', '=', Number(bought.id))
      .execute(),
  )
  assert.deepEqual(codeOf(await shop.pay(early.id, null)), [400, 'checkout_repriced'])
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.basic })
  assert.deepEqual(codeOf(await shop.pay(session.id, null)), [402, 'missing_argument'])
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  const [, active] = await shop.subscriptionsOf(bought.id)
  assert.notEqual(active?.payment_method_id, bought.methodId)
})

test('a checkout that was paid goes on showing what it came to', async () => {
  const bought = await shop.buy()
  const { json: session } = await shop.openFor(bought.id, { billing_cycle: 'lifetime' })
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  const { json: shown, text } = await shop.call('GET', `/${session.id}.json`)
  assert.deepEqual(
    [shown.state, shown.plan, shown.quote, shown.change, shown.renewal],
    ['paid', session.plan, session.quote, session.change, session.renewal],
    text,
  )
  const cancelled = await app.call('DELETE', `${shop.base}/licenses/${bought.id}.json`)
  assert.ok(cancelled.status < 300, cancelled.text)
  const { json: still } = await shop.call('GET', `/${session.id}.json`)
  assert.deepEqual(still.quote, session.quote)
})
