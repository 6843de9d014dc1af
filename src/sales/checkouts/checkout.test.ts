import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asDeveloper } from '../../../test/callers.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { allowRedirects } from '../../../test/checkouts.ts'
import { mailsTo } from '../../../test/mails.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'
import { redirectSignature, sandboxToken } from './signatures.ts'
import { HOUR } from '../../lib/time.ts'

let app: TestApp
let planId: string
let people = 0
before(async () => {
  app = await startTestApp('checkout')
  const developer = await asDeveloper(app)
  const base = `/products/${app.seller.product.id}`
  planId = (await developer('POST', `${base}/plans.json`, { name: 'professional', title: 'Professional' }))
    .json.id
  const price = { monthly_price: 9.99, annual_price: 99.5, lifetime_price: 300, licenses: 1, currency: 'usd' }
  const made = await developer('POST', `${base}/plans/${planId}/pricing.json`, price)
  assert.equal(made.status < 300, true, made.text)
  const coupon = { code: 'HALF', discount: 50, discount_type: 'percentage', redemptions_limit: 3 }
  const added = await app.call('POST', `${base}/coupons.json`, { body: coupon })
  assert.equal(added.status, 201, added.text)
  await app.ctx.database.transaction((db) => allowRedirects(db, app))
})
after(() => app.close())

const open = (body: object = {}) => {
  const { product } = app.seller
  const context = String(app.ctx.clock.real() / 1000)
  const token = sandboxToken({
    context,
    productId: product.id,
    secretKey: product.secretKey,
    publicKey: product.publicKey,
  })
  return app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: { product_id: product.id, sandbox: token, s_ctx_ts: context, ...body },
  })
}

const buyer = () => ({
  user_email: `buyer${++people}@example.com`,
  user_firstname: 'Ada',
  country_code: 'us',
})
const pay = (id: string, payment_token?: string) =>
  app.call('POST', `/checkout/sessions/${id}/pay.json`, {
    token: null,
    body: payment_token === undefined ? {} : { payment_token, is_waiver_accepted: true },
  })
const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

const count = async (table: 'payments' | 'licenses' | 'subscriptions' | 'users') => {
  const { length } = await app.ctx.db.selectFrom(table).select('id').execute()
  return length
}

test('a checkout shows each line of what is charged, and what renews at what price and when', async () => {
  const { status, json, text } = await open({ coupon: 'HALF' })
  assert.equal(status, 201, text)
  const noDays = { days_left: null, days: null }
  assert.deepEqual(
    [json.plan.name, json.billing_cycle, json.currency, json.licenses, json.environment],
    ['professional', 'annual', 'usd', 1, 1],
  )
  assert.deepEqual(json.quote.lines, [
    { kind: 'price', amount: 99.5, rule: 'list_price', ...noDays },
    { kind: 'coupon', amount: -49.75, rule: 'coupon', ...noDays },
    { kind: 'tax', amount: 0, rule: 'unregistered', ...noDays },
  ])
  assert.deepEqual(json.renewal, { at: '2027-01-31 10:00:00', gross: 99.5, tax: 0, total: 99.5 })
  assert.deepEqual(json.discount, { code: 'HALF', applies: true, reason: null })
  const changed = await app.call('PUT', `/checkout/sessions/${json.id}.json`, {
    token: null,
    body: { billing_cycle: 'lifetime', coupon: 'NONE' },
  })
  assert.deepEqual([changed.json.quote.total, changed.json.renewal], [300, null])
  assert.deepEqual(changed.json.discount, { code: 'NONE', applies: false, reason: 'coupon_not_found' })
})

test('a purchase makes buyer, license, subscription and payment, and mails the key', async () => {
  const who = buyer()
  const { json: session } = await open({
    ...who,
    billing_cycle: 'monthly',
    redirect_url: 'https://shop.example/thanks?a=1',
  })
  const { status, json, text } = await pay(session.id, 'test_succeeds')
  assert.equal(status, 200, text)
  assert.equal(json.state, 'paid')
  assert.equal(json.user.email, who.user_email)
  assert.deepEqual([json.purchase.initial_amount, json.purchase.next_payment], [9.99, '2026-02-28 10:00:00'])
  assert.match(json.license_key, /^sk_/)
  const url = new URL(json.redirect_url)
  const signature = url.searchParams.get('signature')
  const signed = json.redirect_url.slice(0, json.redirect_url.indexOf('&signature='))
  assert.equal(signature, redirectSignature(signed, app.seller.product.secretKey))
  assert.deepEqual(
    [url.searchParams.get('action'), url.searchParams.get('license_id'), url.searchParams.get('a')],
    ['purchase', json.license_id, '1'],
  )
  assert.equal(url.searchParams.get('billing_cycle'), '1', 'as clients read it: a number of months')
  assert.deepEqual(
    (await mailsTo(app, who.user_email)).map(({ kind }) => kind),
    ['license', 'receipt'],
  )
  const license = await app.call('GET', `/products/${app.seller.product.id}/licenses/${json.license_id}.json`)
  assert.deepEqual([license.json.expiration, license.json.environment], ['2026-03-01 10:00:00', 1])
  const again = await pay(session.id, 'test_succeeds')
  assert.deepEqual([again.status, again.json.license_id], [200, json.license_id])
})

test('ten payments of one checkout at once charge once', async () => {
  const { json: session } = await open({ ...buyer(), billing_cycle: 'lifetime' })
  const before = await count('payments')
  const replies = await Promise.all(Array.from({ length: 10 }, () => pay(session.id, 'test_succeeds')))
  const paid = replies.filter(({ status }) => status === 200)
  assert.ok(paid.length >= 1)
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    assert.deepEqual(codeOf(reply), [400, 'checkout_in_progress'])
  }
  assert.equal(await count('payments'), before + 1)
  assert.equal(new Set(paid.map(({ json }) => json.license_id)).size, 1)
})

test('a declined payment makes nothing, and the checkout can be paid after it', async () => {
  const { json: session } = await open({ ...buyer(), coupon: 'HALF' })
  const before = [await count('payments'), await count('licenses'), await count('users')]
  assert.deepEqual(codeOf(await pay(session.id, 'test_insufficient_funds')), [
    400,
    'payment_insufficient_funds',
  ])
  assert.deepEqual([await count('payments'), await count('licenses'), await count('users')], before)
  const { status, text, json } = await pay(session.id, 'test_succeeds')
  assert.equal(status, 200, text)
  assert.equal(json.purchase.initial_amount, 49.75)
})

test('a gateway that does not answer is asked again under the same name', async () => {
  const { json: session } = await open(buyer())
  assert.deepEqual(codeOf(await pay(session.id, 'test_unreachable')), [503, 'gateway_unreachable'])
  assert.deepEqual(codeOf(await pay(session.id, 'test_succeeds')), [400, 'checkout_in_progress'])
})

test('what must be known to pay is named, and a live checkout needs a live gateway', async () => {
  const { json: session } = await open()
  const reply = await pay(session.id, 'test_succeeds')
  assert.deepEqual(codeOf(reply), [402, 'missing_argument'])
  assert.deepEqual(
    reply.json.error.details.map(({ field }: { field: string }) => field),
    ['user_email', 'country_code'],
  )
  const live = await open({ sandbox: undefined, s_ctx_ts: undefined, ...buyer() })
  assert.equal(live.json.environment, 0)
  assert.deepEqual(codeOf(await pay(live.json.id, 'test_succeeds')), [400, 'gateway_not_configured'])
})

test('a wrong sandbox token, an address of a foreign host, and what is not sold are refused', async () => {
  assert.deepEqual(codeOf(await open({ sandbox: 'wrong' })), [400, 'invalid_sandbox_token'])
  for (const [field, value] of Object.entries({
    redirect_url: 'https://evil.example/',
    licenses: '7',
    currency: 'gbp',
    plan_id: 999,
    visitor: 'short',
  })) {
    const reply = await open({ [field]: value })
    assert.equal(reply.status, 400, field)
    assert.equal(reply.json.error.details?.[0]?.field, field)
  }
  assert.equal((await open({ product_id: 999_999 })).status, 404)
})

test('a number of licenses is taken as a number too', async () => {
  const { licenses } = (await open(buyer())).json
  const counted = await open({ ...buyer(), licenses })
  assert.deepEqual([typeof licenses, counted.status, counted.json.licenses], ['number', 201, licenses])
  assert.equal((await open({ ...buyer(), licenses: 1.5 })).status, 400)
})

test('the same buyer does not buy the same twice within a minute', async () => {
  const who = buyer()
  const [one, other] = [await open(who), await open(who)]
  assert.equal((await pay(one.json.id, 'test_succeeds')).status, 200)
  assert.deepEqual(codeOf(await pay(other.json.id, 'test_succeeds')), [400, 'already_purchased'])
})

test('what costs nothing is bought without a gateway', async () => {
  const free = { code: 'FREE', discount: 100, discount_type: 'percentage' }
  await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body: free })
  const { json: session } = await open({ ...buyer(), coupon: 'FREE' })
  const { status, json, text } = await pay(session.id)
  assert.equal(status, 200, text)
  assert.deepEqual([json.payment.gross, json.payment.gateway], [0, null])
})

test('a payment that must be confirmed is pending, and paid once it was', async () => {
  const { json: session } = await open(buyer())
  const { status, json, text } = await pay(session.id, 'test_needs_confirmation')
  assert.equal(status, 200, text)
  assert.equal(json.state, 'pending')
  assert.match(json.confirmation_url, /^https?:/)
  const after = await pay(session.id)
  assert.deepEqual([after.status, after.json.state], [200, 'paid'], after.text)
})

test('a coupon with one redemption left is given to one of several purchases, and back when one is declined', async () => {
  const { product } = app.seller
  const coupon = { code: 'LAST', discount: 10, discount_type: 'percentage', redemptions_limit: 1 }
  const { json: made } = await app.call('POST', `/products/${product.id}/coupons.json`, { body: coupon })
  const sessions = await Promise.all(Array.from({ length: 4 }, () => open({ ...buyer(), coupon: 'LAST' })))
  const [first, ...others] = sessions.map(({ json }) => json.id as string)
  assert.deepEqual(codeOf(await pay(first ?? '', 'test_declined')), [400, 'payment_declined'])
  const replies = await Promise.all(others.map((id) => pay(id, 'test_succeeds')))
  const codes = replies.map((reply) => codeOf(reply)[1] ?? 'paid')
  assert.deepEqual(codes.toSorted(), ['coupon_used_up', 'coupon_used_up', 'paid'])
  assert.deepEqual(await redemptionsOf(app, made.id), { live: 0, sandbox: 1 })
})

test('whoever comes with a token of theirs is the buyer, and stays it', async () => {
  const { product } = app.seller
  const { json: user } = await app.call('POST', `/products/${product.id}/users.json`, {
    body: { email: 'known@example.com', name: 'Known Person' },
  })
  const { json: issued } = await app.call(
    'POST',
    `/products/${product.id}/users/${user.id}/tokens/checkout.json`,
  )
  const { json: session } = await open({ user_token: issued.token, user_email: 'other@example.com' })
  assert.deepEqual([session.buyer.email, session.buyer.is_readonly], ['known@example.com', true])
  const changed = await app.call('PUT', `/checkout/sessions/${session.id}.json`, {
    token: null,
    body: { user_email: 'other@example.com', country_code: 'us' },
  })
  assert.deepEqual([changed.json.buyer.email, changed.json.buyer.country_code], ['known@example.com', 'us'])
  const paid = await pay(session.id, 'test_succeeds')
  assert.equal(paid.json.user?.id, user.id, paid.text)
  assert.deepEqual(codeOf(await open({ user_token: `${issued.token}x` })), [400, 'invalid_user_token'])
})

test('tax is that of the place of the buyer, with its rule', async () => {
  const developer = await asDeveloper(app)
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  const saved = await developer('PUT', '/tax_settings.json', settings)
  assert.ok(saved.status < 300, saved.text)
  const { json: session } = await open({ ...buyer(), country_code: 'fr', billing_cycle: 'monthly' })
  assert.deepEqual(
    [session.quote.gross, session.quote.tax, session.quote.total, session.quote.tax_rule],
    [9.99, 2, 11.99, 'destination'],
  )
  const paid = await pay(session.id, 'test_succeeds')
  assert.deepEqual([paid.json.payment.gross, paid.json.payment.vat], [9.99, 2], paid.text)
  const elsewhere = await app.call('PUT', `/checkout/sessions/${(await open(buyer())).json.id}.json`, {
    token: null,
    body: { country_code: 'us' },
  })
  assert.deepEqual([elsewhere.json.quote.tax, elsewhere.json.quote.tax_rule], [0, 'outside'])
})

test('a checkout in which nobody pays does not keep a price; one that was paid does', async () => {
  const developer = await asDeveloper(app)
  const base = `/products/${app.seller.product.id}/plans/${planId}`
  const price = { annual_price: 20, licenses: 9, currency: 'usd' }
  const { pricing: made } = (await developer('POST', `${base}/pricing.json`, price)).json
  const { json: session } = await open({ ...buyer(), pricing_id: made.id })
  const { pricing: sold } = (await developer('POST', `${base}/pricing.json`, { ...price, licenses: 10 })).json
  const { json: other } = await open({ ...buyer(), pricing_id: sold.id })
  assert.equal((await pay(other.id, 'test_succeeds')).status, 200)
  const removed = await developer('DELETE', `${base}/pricing/${made.id}.json`)
  assert.ok(removed.status < 300, removed.text)
  assert.deepEqual(codeOf(await pay(session.id, 'test_succeeds')), [404, 'not_found'])
  assert.deepEqual(codeOf(await developer('DELETE', `${base}/pricing/${sold.id}.json`)), [
    400,
    'pricing_in_use',
  ])
})

test('a checkout ends after a day, and is forgotten unless it was paid', async () => {
  const [one, other] = [await open(buyer()), await open(buyer())]
  assert.equal((await pay(other.json.id, 'test_succeeds')).status, 200)
  const count = async () => (await app.ctx.db.selectFrom('checkouts').select('id').execute()).length
  const before = await count()
  const paid = await app.ctx.db.selectFrom('checkouts').select('id').where('state', '=', 'paid').execute()
  app.ctx.clock.advance(25 * HOUR)
  assert.equal((await app.call('GET', `/checkout/sessions/${one.json.id}.json`, { token: null })).status, 404)
  await runDue(app.ctx, [prune])
  const paying = await app.ctx.db.selectFrom('checkouts').select('id').where('state', '=', 'paying').execute()
  assert.equal(await count(), paid.length + paying.length)
  assert.ok(before > paid.length + paying.length)
})
