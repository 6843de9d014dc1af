import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { productScope } from '../../../test/carts.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { licenseOn, userOf } from '../../../test/licenses.ts'
import { readToken, type TokenPurpose } from '../../lib/signed-token.ts'
import { DAY, MINUTE, toUtcTime } from '../../lib/time.ts'

let app: TestApp
let offer: Offer
let path: string
before(async () => {
  app = await startTestApp('checkout_tokens')
  offer = await app.write((tx) => createOffer(tx, productScope(app), 'pro'))
  path = `/products/${app.seller.product.id}`
})
after(() => app.close())

const read = (token: string, purpose: TokenPurpose, laterMs = 0) =>
  readToken(app.ctx.keys, token, { purpose, now: app.ctx.clock.real() + laterMs })

test('a checkout token says for a minute who the buyer is and of which product', async () => {
  const id = await userOf(app, 'ann@example.com')
  const { status, json } = await app.call('POST', `${path}/users/${id}/tokens/checkout.json`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['token'])
  const claims = read(json.token, 'checkout', MINUTE - 1)
  assert.deepEqual([claims?.['user_id'], claims?.['plugin_id']], [id, String(app.seller.product.id)])
  assert.equal(read(json.token, 'checkout', MINUTE), null)
  assert.equal(read(json.token, 'portal'), null)
  assert.ok(!Buffer.from(json.token.split('.')[1], 'base64url').toString().includes('ann@'))
})

test("another product's user gets no token and no portal link", async () => {
  const id = await userOf(app, 'other@example.com', app.seller.other)
  assert.equal((await app.call('POST', `${path}/users/${id}/tokens/checkout.json`)).status, 404)
  for (const body of [
    { id },
    { email: 'other@example.com' },
    { id: '999999' },
    { email: 'nobody@example.com' },
  ]) {
    assert.equal((await app.call('POST', `${path}/portal/login.json`, { body })).status, 404)
  }
})

test('a portal link is made by id or by address, for five minutes', async () => {
  const id = await userOf(app, 'Bea@example.com')
  for (const body of [{ id }, { email: 'BEA@example.com' }, { id, email: 'bea@example.com' }]) {
    const { status, json } = await app.call('POST', `${path}/portal/login.json`, { body })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(json), ['token', 'link'])
    assert.equal(json.link, `${app.ctx.baseUrl}/portal/login?token=${json.token}`)
    assert.equal(read(json.token, 'portal', 5 * MINUTE - 1)?.['user_id'], id)
    assert.equal(read(json.token, 'portal', 5 * MINUTE), null)
  }
  const none = await app.call('POST', `${path}/portal/login.json`, { body: {} })
  assert.deepEqual([none.status, none.json.error.code], [402, 'missing_argument'])
  const mixed = { id, email: 'ann@example.com' }
  assert.equal((await app.call('POST', `${path}/portal/login.json`, { body: mixed })).status, 404)
})

const link = (id: string, body: object = {}) =>
  app.call('POST', `${path}/licenses/${id}/checkout/link.json`, { body })

test('an upgrade link names what is asked for and opens the license for 24 hours; without anything it renews', async () => {
  const license = await licenseOn(app, offer)
  const other = await app.write((tx) => createOffer(tx, productScope(app), 'business'))
  const renewal = await link(license.id)
  assert.equal(renewal.status, 201, renewal.text)
  const { url, settings, expires } = renewal.json
  assert.equal(expires, toUtcTime(app.ctx.clock.real() + DAY))
  const opened = read(settings.authorization, 'checkout.license', DAY - 1)
  assert.equal(opened?.['license_id'], license.id)
  assert.equal(opened?.['is_payment_method_update'], false)
  assert.equal(read(settings.authorization, 'checkout.license', DAY), null)
  const place = `${app.ctx.baseUrl}/checkout/product/${app.seller.product.id}/plan`
  assert.ok(url.startsWith(`${place}/${offer.planId}/licenses/1/?`), url)
  assert.equal(new URL(url).searchParams.get('authorization'), settings.authorization)
  assert.equal(new URL(url).searchParams.get('license_id'), license.id)

  const wanted = { plan_id: other.planId, billing_cycle: 'annual', quota: 1, currency: 'USD' }
  const upgrade = await link(license.id, wanted)
  assert.equal(upgrade.status, 201, upgrade.text)
  assert.ok(upgrade.json.url.startsWith(`${place}/${other.planId}/licenses/1/?`))
  assert.deepEqual(
    [upgrade.json.settings.plan_id, upgrade.json.settings.billing_cycle, upgrade.json.settings.currency],
    [String(other.planId), 'annual', 'usd'],
  )
})

test('an upgrade link is for what the product sells', async () => {
  const license = await licenseOn(app, offer)
  for (const [body, field] of [
    [{ plan_id: 999_999 }, 'plan_id'],
    [{ quota: 7 }, 'quota'],
    [{ quota: 'unlimited' }, 'quota'],
    [{ quota: 'many' }, 'quota'],
    [{ billing_cycle: 'lifetime' }, 'billing_cycle'],
    [{ billing_cycle: 12 }, 'billing_cycle'],
    [{ currency: 'eur' }, 'currency'],
  ] as const) {
    const { status, json } = await link(license.id, body)
    assert.deepEqual([status, json.error.details[0].field], [400, field])
  }
  assert.equal((await link('999999')).status, 404)
  const foreign = `/products/${app.seller.other.id}/licenses/${license.id}/checkout/link.json`
  const reply = await app.call('POST', foreign, { token: app.seller.other.token, body: {} })
  assert.equal(reply.status, 404)
  await app.call('DELETE', `${path}/licenses/${license.id}.json`)
  assert.equal((await link(license.id)).json.error.code, 'license_cancelled')
})

test('a payment method is not replaced on a license for life, nor on one without a subscription', async () => {
  const yearly = await licenseOn(app, offer)
  const body = { is_payment_method_update: true, plan_id: '999999' }
  const refused = await link(yearly.id, body)
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'no_subscription'])
  const forLife = await licenseOn(app, offer, { body: { period: 0 } })
  const never = await link(forLife.id, body)
  assert.deepEqual([never.status, never.json.error.code], [400, 'license_lifetime'])
})
