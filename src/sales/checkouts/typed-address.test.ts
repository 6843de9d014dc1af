import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { allowRedirects, proofOf } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { startStripe } from '../../../test/stripe/server.ts'
import { stripeGateway } from '../../gateways/stripe/gateway.ts'

/** Where what is no test is paid. */
const stripe = await startStripe()
const live = stripeGateway({ ...stripe.config, secretKey: 'sk_live_local' }, { timeoutMs: 2_000, retries: 0 })

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('typed_address', {
    config: { trustProxy: ['127.0.0.0/8', '::1/128'] },
  })
  Object.assign(app.ctx, { gateways: [...app.ctx.gateways, live] })
  shop = await changeShop(app)
  for (const [code, more] of Object.entries(COUPONS)) {
    const body = { code, discount: 10, discount_type: 'percentage', ...more }
    assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body })).status, 201)
  }
  await app.ctx.database.transaction(async (db) => {
    await allowRedirects(db, app)
    await db.updateTable('plans').set({ trial_period: 7 }).where('id', '=', Number(shop.plans.pro)).execute()
  })
})
after(async () => {
  stripe.close()
  await app.close()
})

const COUPONS = {
  CUSTOMERS: { user_type: 'customer' },
  NEWCOMERS: { user_type: 'new' },
  ONCE: { is_one_per_user: true },
  FREE: { discount: 100 },
}

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]
const REDIRECT = 'https://shop.example/thanks'

let people = 0
const newAddress = () => `typed${++people}@example.com`

const opened = (email: string, body: object = {}) =>
  shop.open({
    ...shop.sandbox(),
    user_email: email,
    user_firstname: 'Typed',
    country_code: 'us',
    plan_id: shop.plans.basic,
    billing_cycle: 'annual',
    ...body,
  })
const openFor = async (email: string, body: object = {}) => {
  const { json, text } = await opened(email, body)
  assert.ok(json.id, text)
  return json.id as string
}

/** Somebody who has bought with a coupon that is one per user. */
async function buyer(): Promise<string> {
  const email = newAddress()
  const { json, text } = await shop.pay(await openFor(email, { coupon: 'ONCE', billing_cycle: 'monthly' }))
  assert.equal(json.state, 'paid', text)
  return email
}

/** What proves for a minute to be the user of an address. */
const userToken = async (email: string) => (await proofOf(app, email)).user_token

/** A checkout without what tells it from any other. */
function faceOf({ json }: Reply, email: string): string {
  const { id: _id, expires_at: _expires, ...shown } = json
  return JSON.stringify(shown).replaceAll(email, 'somebody@example.com')
}

test('S12: what a coupon asks of the past of a typed address no checkout tells before it is paid', async () => {
  const known = await buyer()
  for (const coupon of Object.keys(COUPONS)) {
    const seen = async (email: string) => {
      const [first, none] = [await opened(email, { coupon }), await opened(email)]
      const changed = await shop.call('PUT', `/${none.json.id}`.concat('.json'), { coupon })
      const read = await shop.call('GET', `/${first.json.id}.json`)
      assert.deepEqual(first.json.discount, { code: coupon, applies: true, reason: null }, coupon)
      return [first, changed, read].map((reply) => faceOf(reply, email))
    }
    assert.deepEqual(await seen(known), await seen(newAddress()), coupon)
  }
})

test('S12: what a typed address has bought is judged when it is paid, with one code for every reason', async () => {
  const known = await buyer()
  const refusals = await Promise.all(
    [
      [known, 'ONCE'],
      [known, 'NEWCOMERS'],
      [newAddress(), 'CUSTOMERS'],
    ].map(async ([email = '', coupon]) => shop.pay(await openFor(email, { coupon }))),
  )
  const errorsOf = ({ status, json }: Reply) => [status, json.error.code, json.error.message]
  const [refused] = refusals.map(errorsOf)
  assert.deepEqual(refused?.slice(0, 2), [400, 'coupon_not_applicable'])
  for (const reply of refusals) assert.deepEqual(errorsOf(reply), refused)
  const bought = await shop.pay(await openFor(known, { coupon: 'CUSTOMERS' }))
  assert.equal(bought.json.state, 'paid', bought.text)
  const { json: fresh, text } = await shop.pay(await openFor(newAddress(), { coupon: 'NEWCOMERS' }))
  assert.equal(fresh.state, 'paid', text)
})

test('who brings no method of payment learns nothing of what an address has bought', async () => {
  for (const email of [await buyer(), newAddress()]) {
    const reply = await shop.pay(await openFor(email, { coupon: 'ONCE' }), null)
    assert.deepEqual(codeOf(reply), [402, 'missing_argument'])
  }
})

test('who has proven to be the buyer is told at once why a coupon takes nothing off', async () => {
  const email = await buyer()
  const reply = await opened(email, { coupon: 'ONCE', user_token: await userToken(email) })
  assert.deepEqual(reply.json.discount, { code: 'ONCE', applies: false, reason: 'coupon_already_used' })
  assert.deepEqual(codeOf(await shop.pay(reply.json.id)), [400, 'coupon_already_used'])
})

test('who has proven to be the buyer is told at once that they have tried the product', async () => {
  const email = await buyer()
  const tries = { plan_id: shop.plans.pro, trial: 'free' }
  const withProof = async () => ({ ...tries, user_token: await userToken(email) })
  assert.equal((await shop.pay(await openFor(email, await withProof()), null)).json.state, 'paid')
  const typed = await opened(email, tries)
  assert.deepEqual(codeOf(await shop.pay(typed.json.id, null)), [400, 'trial_not_available'])
  const proven = await opened(email, await withProof())
  assert.deepEqual(codeOf(proven), [400, 'trial_not_available'])
})

test('who holds a license key learns when paying at the earliest whether its owner has used a coupon', async () => {
  const bought = await shop.buy({ coupon: 'ONCE' })
  const other = await shop.buy()
  for (const { key } of [bought, other]) {
    const reply = await shop.open({ license_key: key, country_code: 'us', coupon: 'ONCE' })
    assert.equal(reply.json.discount.applies, true, reply.text)
  }
  const { json: session } = await shop.open({ license_key: bought.key, country_code: 'us', coupon: 'ONCE' })
  assert.deepEqual(codeOf(await shop.pay(session.id)), [400, 'coupon_not_applicable'])
})

test('a coupon for newcomers is there again for who has only tried, and ended that', async () => {
  const email = newAddress()
  const tries = { plan_id: shop.plans.pro, trial: 'paid', coupon: 'NEWCOMERS' }
  await userOf(app, email)
  const proven = { ...tries, user_token: await userToken(email) }
  const { json: tried, text } = await shop.pay(await openFor(email, proven))
  assert.equal(tried.state, 'paid', text)
  const trialing = await shop.pay(await openFor(email, { coupon: 'NEWCOMERS' }))
  assert.deepEqual(codeOf(trialing), [400, 'coupon_not_applicable'])
  const ended = await app.call('DELETE', `${shop.base}/subscriptions/${tried.purchase.id}.json`)
  assert.ok(ended.status < 300, ended.text)
  const bought = await shop.pay(await openFor(email, { coupon: 'NEWCOMERS' }))
  assert.equal(bought.json.state, 'paid', bought.text)
})

test('S12: that an address has bought a moment ago is told only where it did so', async () => {
  const email = newAddress()
  const payFrom = async (ip: string) =>
    app.call('POST', `/checkout/sessions/${await openFor(email)}/pay.json`, {
      token: null,
      body: { payment_token: 'test_succeeds' },
      headers: { 'x-forwarded-for': ip },
    })
  assert.equal((await payFrom('203.0.113.1')).json.state, 'paid')
  assert.deepEqual(codeOf(await payFrom('203.0.113.1')), [400, 'already_purchased'])
  assert.equal((await payFrom('203.0.113.2')).json.state, 'paid')
})

/** What a result says of who bought, and which fields it has. */
const toldOf = ({ json }: Reply) => ({
  user: { ...json.user, email: '', resend_email_endpoint: typeof json.user.resend_email_endpoint },
  users: [json.purchase, json.payment, json.trial].map((one) => one && one.user_id),
  hasKey: json.license_key !== null,
  redirect: [...new URL(json.redirect_url).searchParams.keys()],
})

const LIVE = { s_ctx_ts: undefined, sandbox: undefined }

for (const [name, body, has] of [
  ['a purchase', LIVE, { key: true, id: true }],
  ['a purchase for nothing', { coupon: 'FREE' }, { key: false, id: false }],
  ['a free trial', { trial: 'free' }, { key: false, id: false }],
  ['a trial with a method of payment', { trial: 'paid' }, { key: false, id: false }],
] as const) {
  test(`S12: a result tells nobody whether the address that was typed is known: ${name}`, async () => {
    const known = await buyer()
    const plan_id = 'trial' in body ? shop.plans.pro : shop.plans.basic
    const tell = async (email: string) => {
      const method = body === LIVE ? 'pm_card_visa' : undefined
      const reply = await shop.pay(await openFor(email, { ...body, plan_id, redirect_url: REDIRECT }), method)
      assert.equal(reply.json.state, 'paid', reply.text)
      assert.equal(reply.json.user.email, email)
      return toldOf(reply)
    }
    const [ofKnown, email] = [await tell(known), newAddress()]
    assert.deepEqual(ofKnown, await tell(email))
    const untold = { id: null, public_key: null, created: null, resend_email_endpoint: 'string' }
    assert.deepEqual(ofKnown.user, { ...untold, email: '', first: 'Typed', last: '' })
    assert.ok(ofKnown.users.every((id) => id === null))
    assert.equal(ofKnown.hasKey, has.key)
    assert.equal(ofKnown.redirect.includes('user_id'), has.id)
    for (const one of [known, email]) {
      const mails = (await mailsTo(app, one)).filter(({ kind }) => kind === 'license')
      assert.match(mails.at(-1)?.text ?? '', /sk_/)
    }
  })
}
