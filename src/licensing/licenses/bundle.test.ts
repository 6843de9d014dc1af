import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { installOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import type { Offer } from '../../../test/catalogue.ts'
import { scopeOf, subscriptionRow } from '../../../test/sales.ts'
import { startSubscription } from '../../sales/subscriptions/start-subscription.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'
import type { License } from './schema.ts'

let app: TestApp
let bundle: { id: number; token: string }
let offer: Offer
let owner: string
before(async () => {
  app = await startTestApp('licenses_bundle')
  const as = await asDeveloper(app)
  const { json } = await as('POST', '/plugins.json', {
    title: 'All of it',
    slug: 'all-of-it',
    type: 'plugin',
    is_bundle: true,
  })
  const id = Number(json.id)
  const { token } = await app.write((tx) =>
    issueApiToken(tx, { productId: id, name: 'test', expiresAt: null }),
  )
  bundle = { id, token }
  const members = `${app.seller.product.id},${app.seller.other.id}`
  await as('PUT', `/products/${id}/bundle/members.json`, { members })
  for (const product of [app.seller.product, app.seller.other]) await offerFor(app, 3, { product })
  offer = await offerFor(app, 3, { product: bundle })
  owner = await userOf(app, 'bundle@example.com', bundle)
})
after(() => app.close())

const childrenOf = (license: License) =>
  app.ctx.db
    .selectFrom('licenses')
    .selectAll()
    .where('parent_license_id', '=', Number(license.id))
    .orderBy('id')
    .execute()

async function sold(): Promise<{ license: License; installId: number }> {
  const userId = await userOf(app, 'bundle@example.com')
  const installId = await installOf(app, { userId })
  const body = { email: 'bundle@example.com', existing_install_id: String(installId) }
  return { installId, license: await licenseOn(app, offer, { product: bundle, body }) }
}

const of = (license: License, method: 'PUT' | 'DELETE', rest: string, body?: object) =>
  app.call(method, `/products/${bundle.id}/licenses/${license.id}${rest}`, {
    token: bundle.token,
    ...(body && { body }),
  })

test("a bundle's license on an install of a member issues one of the member and activates it", async () => {
  const { license, installId } = await sold()
  const [child, ...others] = await childrenOf(license)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [child?.product_id, String(child?.user_id), child?.quota, child?.expiration, child?.activated],
    [app.seller.product.id, owner, 3, license.expiration, 1],
  )
  const install = await app.ctx.db
    .selectFrom('installs')
    .select('license_id')
    .where('id', '=', installId)
    .executeTakeFirstOrThrow()
  assert.equal(install.license_id, child?.id)
  assert.equal(license.activated, 0)
})

test('an install that is not of the bundle is refused, and nothing is issued', async () => {
  const userId = await userOf(app, 'stray@example.com')
  const installId = await installOf(app, { userId })
  const plain = await offerFor(app, 1)
  const path = `/products/${app.seller.product.id}/plans/${plain.planId}/pricing/${plain.pricingId}/licenses.json`
  const reply = await app.call('POST', path, { body: { period: 1, existing_install_id: installId } })
  assert.deepEqual([reply.status, reply.json.error.details[0].field], [400, 'existing_install_id'])
  const issued = await app.ctx.db
    .selectFrom('licenses')
    .select('id')
    .where('plan_id', '=', plain.planId)
    .execute()
  assert.equal(issued.length, 0)
})

test("a change of a bundle's license is one of what it opened", async () => {
  const { license } = await sold()
  const body = { expiration: '2030-01-01 00:00:00', quota: 7, is_whitelabeled: true, new_user_id: owner }
  assert.equal((await of(license, 'PUT', '.json', body)).status, 200)
  const [child] = await childrenOf(license)
  assert.deepEqual(
    [child?.expiration, child?.quota, child?.is_whitelabeled],
    ['2030-01-01 00:00:00', 7, true],
  )
})

test('extend_bundle gives the bundle, and so all that it opened, the end of one of them', async () => {
  const { license } = await sold()
  const [child] = await childrenOf(license)
  const path = `/products/${app.seller.product.id}/licenses/${child?.id}.json`
  const endOf = async () =>
    (await app.call('GET', `/products/${bundle.id}/licenses/${license.id}.json`, { token: bundle.token }))
      .json.expiration
  await app.call('PUT', path, { body: { expiration: '2031-01-01 00:00:00' } })
  assert.equal(await endOf(), license.expiration)
  await app.call('PUT', path, { body: { expiration: '2032-01-01 00:00:00', extend_bundle: true } })
  assert.equal(await endOf(), '2032-01-01 00:00:00')
})

/** A bundle that was bought, with the path of what it opened in a member, and what renews it. */
async function renewed() {
  const { license } = await sold()
  const [child] = await childrenOf(license)
  const now = app.ctx.clock.real()
  const bought = { ...offer, userId: Number(owner), licenseId: Number(license.id) }
  const { id } = await app.write((tx) =>
    startSubscription(tx, scopeOf(app, bundle), subscriptionRow(bought, now)),
  )
  const subscription = () =>
    app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { path: `/products/${app.seller.product.id}/licenses/${child?.id}.json`, subscription }
}

test('extend_bundle without an end ends the renewals of the bundle, which nobody pays any more', async () => {
  const [one, other] = [await renewed(), await renewed()]
  const before = await one.subscription()
  await app.call('PUT', one.path, { body: { expiration: null } })
  assert.equal((await one.subscription()).canceled_at, null)
  await app.call('PUT', one.path, { body: { expiration: null, extend_bundle: true } })
  const after = await one.subscription()
  assert.deepEqual([after.canceled_at === null, after.next_payment, after.due_at], [false, null, null])
  const { next_payment: next, canceled_at: canceled } = await other.subscription()
  assert.deepEqual([next, canceled], [before.next_payment, null])
})

test('extend_bundle moves the renewal of the bundle too where that is asked for', async () => {
  const [one, other] = [await renewed(), await renewed()]
  const { next_payment: next } = await other.subscription()
  const body = { expiration: '2032-01-02 00:00:00', extend_bundle: true }
  await app.call('PUT', one.path, { body })
  assert.equal((await one.subscription()).next_payment, next)
  await app.call('PUT', one.path, { body: { ...body, update_subscription_renewal_date: true } })
  assert.equal((await one.subscription()).next_payment, '2032-01-01 00:00:00')
  assert.equal((await other.subscription()).next_payment, next)
})

test("the cancellation of a bundle's license is one of what it opened, the other way round on request", async () => {
  const first = await sold()
  await of(first.license, 'DELETE', '.json')
  assert.deepEqual(
    (await childrenOf(first.license)).map((child) => child.is_cancelled),
    [true],
  )
  const second = await sold()
  const [child] = await childrenOf(second.license)
  const path = `/products/${app.seller.product.id}/licenses/${child?.id}.json`
  const isCancelled = async () => {
    const { json } = await app.call(
      'GET',
      `/products/${bundle.id}/licenses.json?search=${second.license.id}`,
      {
        token: bundle.token,
      },
    )
    return json.licenses[0]?.is_cancelled
  }
  const { json } = await app.call('DELETE', path)
  assert.deepEqual([json.id, json.is_cancelled, await isCancelled()], [String(child?.id), true, false])
  await app.call('DELETE', `${path}?include_bundle=true`)
  assert.equal(await isCancelled(), true)
})

test("an erased bundle's license takes what it opened along, also off installs", async () => {
  const { license, installId } = await sold()
  assert.equal((await of(license, 'DELETE', '.json?delete=true')).status, 204)
  assert.equal((await childrenOf(license)).length, 0)
  const install = await app.ctx.db
    .selectFrom('installs')
    .select('license_id')
    .where('id', '=', installId)
    .executeTakeFirstOrThrow()
  assert.equal(install.license_id, null)
})

test("a bundle's license is taken off the installs of its members", async () => {
  const { license } = await sold()
  assert.equal((await of(license, 'DELETE', '/installs.json')).status, 200)
  assert.deepEqual(
    (await childrenOf(license)).map(({ activated }) => activated),
    [0],
  )
})

test('an enriched license tells its bundle', async () => {
  const { license } = await sold()
  const [child] = await childrenOf(license)
  const path = `/products/${app.seller.product.id}/licenses.json?enriched=true&search=${child?.id}`
  const [rich] = (await app.call('GET', path)).json.licenses
  assert.deepEqual(
    [
      rich.parent_license_id,
      rich.parent_license_bundle_id,
      rich.parent_plan_id,
      typeof rich.parent_plan_name,
    ],
    [license.id, String(bundle.id), offer.planId, 'string'],
  )
  const dearer = await offerFor(app, 9, { product: bundle })
  await userOf(app, 'dearer@example.com', bundle)
  const userId = await userOf(app, 'dearer@example.com')
  const body = { email: 'dearer@example.com', existing_install_id: String(await installOf(app, { userId })) }
  const [of] = await childrenOf(await licenseOn(app, dearer, { product: bundle, body }))
  const found = `/products/${app.seller.product.id}/licenses.json?enriched=true&search=${of?.id}`
  assert.equal((await app.call('GET', found)).json.licenses[0].parent_plan_id, dearer.planId)
})
