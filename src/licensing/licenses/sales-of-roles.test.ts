import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { offerFor, userOf } from '../../../test/licenses.ts'
import { joinTeam, logIn, setPassword, type Login } from '../../../test/logins.ts'
import { subscribed } from '../../../test/subscriptions.ts'
import type { Role } from '../../access/roles.ts'

let app: TestApp
const logins = new Map<Role, Login>()
before(async () => {
  app = await startTestApp('sales_of_roles')
  await setPassword(app)
  const owner = await logIn(app)
  for (const role of ['admin', 'support', 'accountant'] as const) {
    const email = `${role}@example.com`
    const { json } = await owner.call('POST', '/members.json', { body: { email, role } })
    await joinTeam(app, json.id)
    logins.set(role, await logIn(app, { body: { email } }))
  }
})
after(() => app.close())

const as = (role: Role): Login['call'] => (logins.get(role) ?? assert.fail(role)).call
const base = () => `/products/${app.seller.product.id}`

/** A license that is renewed, on an install of its owner. */
async function renewed() {
  const { licenseId, subscription, userId } = await subscribed(app)
  const path = `${base()}/licenses/${licenseId}`
  const { json } = await app.call('GET', `${path}.json`)
  const uid = String(licenseId).padStart(32, '0')
  const active = await app.call('POST', `${base()}/licenses/activate.json`, {
    token: null,
    body: { license_key: json.secret_key, uid, url: 'https://site.example/' },
  })
  assert.equal(active.status, 200, active.text)
  return { path, id: subscription.id, userId, install: active.json.install_id }
}

const renewalOf = (id: number) =>
  app.ctx.db
    .selectFrom('subscriptions')
    .select(['next_payment', 'canceled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const isRefused = ({ status, json, text }: Reply) => {
  assert.deepEqual([status, json?.error?.code], [401, 'role_not_allowed'], text)
  return true
}

test('who may not write sales ends and moves no renewal by what it may write of a license', async () => {
  const license = await renewed()
  const before = await renewalOf(license.id)
  const body = [
    { cancel_subscription: true },
    { expiration: '2030-01-01 00:00:00', update_subscription_renewal_date: true },
    { expiration: null },
  ]
  for (const one of body)
    assert.ok(isRefused(await as('support')('PUT', `${license.path}.json`, { body: one })))
  const downgrade = `${base()}/installs/${license.install}/downgrade.json`
  assert.ok(isRefused(await as('support')('PUT', downgrade, { body: {} })))
  assert.deepEqual(await renewalOf(license.id), before)
  const { json } = await as('support')('GET', `${license.path}.json`)
  assert.notEqual(json.expiration, null)
  const moved = await as('admin')('PUT', `${license.path}.json`, { body: body[1] })
  assert.equal(moved.status, 200, moved.text)
  assert.equal((await renewalOf(license.id)).next_payment, '2029-12-31 00:00:00')
  assert.equal((await as('admin')('PUT', downgrade, { body: {} })).status, 200)
  assert.notEqual((await renewalOf(license.id)).canceled_at, null)
})

test('who may not write sales ends no renewal of a bundle by the end of what it opened', async () => {
  const [bundle, opened] = [await renewed(), await renewed()]
  const idOf = (path: string) => Number(path.split('/').at(-1))
  await app.write(({ db }) =>
    db
      .updateTable('licenses')
      .set({ parent_license_id: idOf(bundle.path) })
      .where('id', '=', idOf(opened.path))
      .execute(),
  )
  await app.call('PUT', `${opened.path}.json`, { body: { expiration: null } })
  const extend = (role: Role) =>
    as(role)('PUT', `${opened.path}.json`, { body: { quota: 3, extend_bundle: true } })
  const before = await renewalOf(bundle.id)
  assert.ok(isRefused(await extend('support')))
  assert.deepEqual(await renewalOf(bundle.id), before)
  assert.equal((await extend('admin')).status, 200)
  assert.notEqual((await renewalOf(bundle.id)).canceled_at, null)
})

test('support goes on to write what is of the license: its end, its quota, and a cancelled one with its renewals', async () => {
  const license = await renewed()
  const change = (body: object) => as('support')('PUT', `${license.path}.json`, { body })
  assert.equal((await change({ expiration: '2029-01-01 00:00:00', quota: 9 })).status, 200)
  assert.equal((await change({ cancel_subscription: false, quota: 8 })).status, 200)
  const ended = await as('support')('DELETE', `${license.path}.json`)
  assert.equal(ended.status, 200, ended.text)
  assert.notEqual((await renewalOf(license.id)).canceled_at, null)
  assert.equal((await change({ expiration: null })).status, 200)
})

test('a purchase is brought along by who may write licenses and sales, not by one of them alone', async () => {
  const { planId, pricingId } = await offerFor(app, 7)
  const userId = await userOf(app, 'brought@example.com')
  const path = `${base()}/users/${userId}/plans/${planId}/pricing/${pricingId}.json`
  const body = { billing_cycle: 12, gross: 500, payment_external_id: 'x1', license_key: 'a-key-of-elsewhere' }
  for (const role of ['support', 'accountant'] as const) {
    assert.ok(isRefused(await as(role)('POST', path, { body })))
  }
  const paid = () => app.ctx.db.selectFrom('payments').select('gross').where('user_id', '=', Number(userId))
  assert.deepEqual(await paid().execute(), [])
  assert.equal((await as('admin')('POST', path, { body })).status, 200)
  assert.deepEqual(await paid().execute(), [{ gross: 50_000 }])
})
