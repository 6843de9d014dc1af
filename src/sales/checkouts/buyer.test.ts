import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { allowRedirects } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('checkout_buyer')
  shop = await changeShop(app)
  const free = { code: 'FREE', discount: 100, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: free })).status, 201)
  await app.ctx.database.transaction(async (db) => {
    await allowRedirects(db, app)
    await db
      .updateTable('plans')
      .set({ trial_period: 7, is_require_subscription: true })
      .where('id', '=', Number(shop.plans.pro))
      .execute()
  })
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

let people = 0
async function known() {
  const email = `known${++people}@example.com`
  const body = { email, name: 'Secret Person' }
  const { json: user } = await app.call('POST', `${shop.base}/users.json`, { body })
  return { id: user.id as string, email }
}

const openAs = (email: string, body: object) =>
  shop.open({
    ...shop.sandbox(),
    user_email: email,
    user_firstname: 'Typed',
    country_code: 'us',
    plan_id: shop.plans.basic,
    ...body,
  })

for (const [name, body] of Object.entries({
  'a purchase for nothing': { coupon: 'FREE' },
  'a trial with a method of payment': { trial: 'true' },
})) {
  test(`whoever types the address of somebody who is known sees neither the name nor the key: ${name}`, async () => {
    const { email } = await known()
    const plan_id = 'trial' in body ? shop.plans.pro : shop.plans.basic
    const { json: session } = await openAs(email, { ...body, plan_id, redirect_url: 'https://shop.example/' })
    const reply = await shop.pay(session.id)
    const said = { id: null, email, first: 'Typed', last: '', public_key: null, created: null }
    const { resend_email_endpoint: _, ...user } = reply.json.user
    assert.deepEqual([reply.json.state, user, reply.json.license_key], ['paid', said, null], reply.text)
    const again = await shop.pay(session.id)
    for (const { text } of [reply, again]) assert.doesNotMatch(text, /Secret|sk_/)
    const led = new URL(reply.json.redirect_url).searchParams
    assert.deepEqual([led.get('email'), led.get('user_id')], [email, null])
    const mails = await mailsTo(app, email)
    assert.match(mails.find(({ kind }) => kind === 'license')?.text ?? '', /sk_/)
  })
}

test('who pays in a sandbox without a proof of who they are is shown the name that they gave, not the one that is stored, nor the key', async () => {
  const { email } = await known()
  const { json: session } = await openAs(email, {})
  const { json, text } = await shop.pay(session.id)
  assert.deepEqual([json.user?.email, json.user?.first, json.user?.last], [email, 'Typed', ''], text)
  assert.equal(json.license_key, null)
  assert.doesNotMatch(text, /Secret|sk_/)
})

test('a token of a user pays once, however many checkouts are opened with it, and again where it was declined', async () => {
  const { id, email } = await known()
  const { json: issued } = await app.call('POST', `${shop.base}/users/${id}/tokens/checkout.json`)
  const open = async (billing_cycle: string) =>
    (await openAs(email, { user_token: issued.token, billing_cycle })).json.id as string
  const [first, second, third] = [await open('monthly'), await open('annual'), await open('lifetime')]
  assert.deepEqual(codeOf(await shop.pay(first, 'test_declined')), [400, 'payment_declined'])
  const replies = await Promise.all([second, third].map((one) => shop.pay(one)))
  assert.deepEqual(replies.map((reply) => codeOf(reply)[1] ?? reply.json.state).toSorted(), [
    'invalid_user_token',
    'paid',
  ])
  assert.deepEqual(codeOf(await shop.pay(first)), [400, 'invalid_user_token'])
  const paid = replies.find(({ status }) => status === 200)
  assert.equal(paid?.json.user.first, 'Secret')
})

test('a buyer comes back from a confirmation to a host of the product or to this server, and nowhere else', async () => {
  const { json: session } = await openAs(`returns${++people}@example.com`, {})
  const back = (return_url: string) => shop.pay(session.id, 'test_needs_confirmation', { return_url })
  for (const wrong of [
    'https://evil.example/',
    'http://shop.example/',
    'https://shop.example.evil.example/',
  ]) {
    const reply = await back(wrong)
    assert.deepEqual(codeOf(reply)[0], 400, reply.text)
    assert.equal(reply.json.error.details?.[0]?.field, 'return_url')
  }
  assert.equal((await back('https://shop.example/thanks')).json.state, 'pending')
  const { json: other } = await openAs(`returns${++people}@example.com`, {})
  const own = await shop.pay(other.id, 'test_needs_confirmation', { return_url: `${app.ctx.baseUrl}/done` })
  assert.equal(own.json.state, 'pending', own.text)
})

test('a buyer comes back beside the checkout, also where that has an origin of its own', async (t) => {
  const checkoutUrl = 'https://pay.keywright.test'
  const pay = async (more: object) => {
    const { json: session } = await openAs(`returns${++people}@example.com`, {})
    return (await shop.pay(session.id, 'test_needs_confirmation', more)).json.confirmation_url
  }
  assert.equal(await pay({}), `${app.ctx.baseUrl}/checkout/confirmed/`)
  Object.assign(app.ctx.config, { checkoutUrl })
  t.after(() => Object.assign(app.ctx.config, { checkoutUrl: undefined }))
  assert.equal(await pay({}), `${checkoutUrl}/checkout/confirmed/`)
  for (const own of [`${checkoutUrl}/done`, `${app.ctx.baseUrl}/done`])
    assert.equal(await pay({ return_url: own }), own)
})

test('a checkout takes countries and regions that exist, and a region goes with its country', async () => {
  const named = ({ status, json }: Reply) => [
    status,
    ...(json.error?.details ?? []).map(({ field }: { field: string }) => field),
  ]
  const refused = (field: string) => [400, field]
  assert.deepEqual(named(await openAs('place@example.com', { country_code: 'zz' })), refused('country_code'))
  assert.deepEqual(named(await openAs('place@example.com', { region: 'ZZ' })), refused('region'))
  const { json: session } = await openAs('place@example.com', { region: 'ca' })
  const change = (body: object) => shop.call('PUT', `/${session.id}.json`, body)
  assert.deepEqual([session.buyer.country_code, session.buyer.region], ['us', 'CA'])
  assert.deepEqual(named(await change({ region: 'BY' })), refused('region'))
  assert.deepEqual(named(await change({ country_code: 'de', region: 'CA' })), refused('region'))
  const { buyer } = (await change({ country_code: 'de' })).json
  assert.deepEqual([buyer.country_code, buyer.region], ['de', null])
  assert.equal((await change({ region: 'BY' })).json.buyer.region, 'BY')
})

test('who leaves a confirmation pays by another method, and the first one is not charged', async () => {
  const coupon = { code: 'ONCE', discount: 10, discount_type: 'percentage', redemptions_limit: 1 }
  const { json: made } = await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })
  const { json: session } = await openAs(`leaves${++people}@example.com`, { coupon: 'ONCE' })
  assert.equal((await shop.pay(session.id, 'test_needs_confirmation')).json.state, 'pending')
  const { json: paid, text } = await shop.pay(session.id, 'test_succeeds')
  assert.equal(paid.state, 'paid', text)
  const charges = await app.ctx.db
    .selectFrom('charges')
    .select(['state', 'external_id'])
    .where('key', 'like', 'checkout:%')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  assert.deepEqual(
    charges.map(({ state, external_id: id }) => [state, /\.test_\w+/.exec(id ?? '')?.[0]]),
    [
      ['settled', '.test_succeeds'],
      ['declined', '.test_needs_confirmation'],
    ],
  )
  assert.deepEqual(await redemptionsOf(app, made.id), { live: 0, sandbox: 1 })
})

test('a token of a user is good in the product that it was made in, and in no other', async () => {
  const { product, other } = app.seller
  const email = 'of-both@example.com'
  const join = ({ id, token }: typeof other) =>
    app.call('POST', `/products/${id}/users.json`, { token, body: { email, name: 'Of Both' } })
  const { json: user } = await join(product)
  const { json: same } = await join(other)
  assert.equal(same.id, user.id)
  const tokenIn = async ({ id, token }: typeof other) => {
    const issued = await app.call('POST', `/products/${id}/users/${user.id}/tokens/checkout.json`, { token })
    assert.ok(issued.status < 300, issued.text)
    return issued.json.token as string
  }
  assert.deepEqual(codeOf(await openAs(email, { user_token: await tokenIn(other) })), [
    400,
    'invalid_user_token',
  ])
  const { json: session } = await openAs(email, { user_token: await tokenIn(product) })
  assert.equal(session.buyer.email, email)
})
