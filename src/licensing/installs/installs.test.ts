import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asInstall, asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, eventsOf, expectOk, keysOf, newUid } from '../../../test/installs.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { subscribed } from '../../../test/subscriptions.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('installs')
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
const get = async (id: string) => expectOk(await app.call('GET', path(`/installs/${id}.json`))).json
const put = (id: string, body: object) => app.call('PUT', path(`/installs/${id}.json`), { body })
const typesOf = async (id: string) => (await eventsOf(app, id)).map(({ type }) => type)

test('an install is first installed, then activated and connected', async () => {
  const install = await createInstallOf(app, await createOwner(app), { url: 'https://www.Example.com/shop/' })
  assert.deepEqual(await eventsOf(app, install.id), [
    { type: 'install.installed', data: { install_id: install.id } },
    { type: 'install.activated', data: { install_id: install.id } },
    { type: 'install.connected', data: { install_id: install.id } },
  ])
  assert.equal((await get(install.id)).url, 'https://www.Example.com/shop/')
})

test('ten creations of one uid at once make one install with one set of events', async () => {
  const owner = await createOwner(app)
  const uid = newUid()
  const made = await Promise.all(Array.from({ length: 10 }, () => createInstallOf(app, owner, { uid })))
  const [id = ''] = new Set(made.map((install) => install.id))
  assert.equal(new Set(made.map((install) => install.id)).size, 1)
  assert.deepEqual(await typesOf(id), ['install.installed', 'install.activated', 'install.connected'])
})

test('a uid again is the same install, up to date and active again', async () => {
  const owner = await createOwner(app)
  const uid = newUid()
  const install = await createInstallOf(app, owner, { uid, version: '1.0' })
  await put(install.id, { is_active: false, is_uninstalled: true })
  const again = await createInstallOf(app, owner, { uid, version: '1.1' })
  assert.deepEqual(
    [again.id, again.version, again.is_active, again.is_uninstalled, again.public_key],
    [install.id, '1.1', true, false, install.public_key],
  )
})

test('two users may have an install of the same uid each', async () => {
  const uid = newUid()
  const one = await createInstallOf(app, await createOwner(app), { uid })
  assert.notEqual((await createInstallOf(app, await createOwner(app), { uid })).id, one.id)
})

test('installs on one address are on one site, whatever protocol, www and slash', async () => {
  const owner = await createOwner(app)
  const sites = ['https://www.one-site.example', 'one-site.example/', 'http://ONE-SITE.example']
  const ids = new Set<string>()
  for (const url of sites) ids.add((await createInstallOf(app, owner, { url })).site_id)
  assert.equal(ids.size, 1)
  ids.add((await createInstallOf(app, owner, { url: 'one-site.example/other' })).site_id)
  assert.equal(ids.size, 2)
})

test('a uid must be 32 characters', async () => {
  const owner = await createOwner(app)
  for (const uid of ['short', 'x'.repeat(33)]) {
    const reply = await app.call('POST', path(`/users/${owner.id}/installs.json`), { body: { uid } })
    assert.deepEqual([reply.status, reply.json.error.code], [400, 'invalid_uid'])
  }
})

test('each field that changes is told by its own event and not by install.updated', async () => {
  const install = await createInstallOf(app, await createOwner(app), {
    url: 'https://a.example',
    title: 'A',
    version: '1.2',
    language: 'en',
    platform_version: '6.0',
    sdk_version: '2.0',
    programming_language_version: '8.0',
  })
  const changes = [
    ['url', 'https://b.example', 'install.url.updated'],
    ['title', 'B', 'install.title.updated'],
    ['version', '1.10', 'install.version.upgraded'],
    ['version', '1.9', 'install.version.downgrade'],
    ['language', 'de', 'install.language.updated'],
    ['platform_version', '6.1', 'install.platform.version.updated'],
    ['sdk_version', '2.1', 'install.sdk.version.updated'],
    ['programming_language_version', '8.1', 'install.programming_language.version.updated'],
    ['is_active', false, 'install.deactivated'],
    ['is_active', true, 'install.activated'],
    ['is_disconnected', true, 'install.disconnected'],
    ['is_disconnected', false, 'install.connected'],
    ['is_premium', true, 'install.premium.activated'],
    ['is_premium', false, 'install.premium.deactivated'],
    ['is_beta', true, 'user.beta_program.opted_in'],
  ] as const
  for (const [field, to, type] of changes) {
    const from = (await get(install.id))[field]
    const before = (await eventsOf(app, install.id)).length
    assert.equal((await put(install.id, { [field]: to })).json[field], to)
    const recorded = (await eventsOf(app, install.id)).slice(before)
    assert.deepEqual(recorded, [{ type, data: { install_id: install.id, from, to } }], field)
  }
  const plain = (await eventsOf(app, install.id)).length
  await put(install.id, { country_code: 'de' })
  assert.deepEqual((await eventsOf(app, install.id)).slice(plain), [
    {
      type: 'install.updated',
      data: { install_id: install.id, from: { country_code: null }, to: { country_code: 'de' } },
    },
  ])
})

test('what stays as it is writes no event and no time of change', async () => {
  const install = await createInstallOf(app, await createOwner(app), { version: '1.0' })
  const before = await typesOf(install.id)
  assert.equal((await put(install.id, { version: '1.0', uid: install.uid })).json.updated, null)
  assert.deepEqual(await typesOf(install.id), before)
})

test('an install that is heard of was seen then, and its version arrived when it changed', async () => {
  const install = await createInstallOf(app, await createOwner(app), { version: '1.0' })
  app.ctx.clock.advance(60_000)
  const call = asInstall(app, keysOf(install))
  const kept = (await call('PUT', '.json', { uid: install.uid })).json
  assert.deepEqual([kept.updated, kept.upgraded, kept.last_seen_at > install.created], [null, null, true])
  const upgraded = (await call('PUT', '.json', { version: '2.0' })).json
  assert.equal(upgraded.upgraded, upgraded.last_seen_at)
})

test('bad fields are named, all of them at once', async () => {
  const install = await createInstallOf(app, await createOwner(app))
  const body = {
    url: 'javascript:alert(1)',
    is_active: 'maybe',
    reason_id: 16,
    plugins: 'not json',
    install_ids: '1,x',
    trials_ends: 'soon',
    title: 'a\u202eb',
    country_code: 'zz',
  }
  const { status, json } = await put(install.id, body)
  assert.equal(status, 400)
  const named = json.error.details.map(({ field }: { field: string }) => field).toSorted()
  assert.deepEqual(named, Object.keys(body).toSorted())
})

test("plan, trial, subscription and lock are the seller's: an install that sends them is not heard", async () => {
  const { subscription, userId } = await subscribed(app)
  const install = await createInstallOf(app, { id: userId })
  await app.write((tx) =>
    tx.db.updateTable('installs').set({ environment: 1 }).where('id', '=', Number(install.id)).execute(),
  )
  const license = await licenseOf(app, 1)
  const body = {
    plan_id: license.plan_id,
    trial_plan_id: license.plan_id,
    trials_ends: '2030-01-01 00:00:00',
    subscription_id: String(subscription.id),
    is_locked: true,
  }
  const own = (await asInstall(app, keysOf(install))('PUT', '.json', body)).json
  assert.deepEqual(
    [own.plan_id, own.trial_plan_id, own.trial_ends, own.subscription_id, own.is_locked],
    [null, null, null, null, false],
  )
  const { json } = await put(install.id, body)
  assert.deepEqual(
    [json.plan_id, json.trial_plan_id, json.trial_ends, json.subscription_id, json.is_locked],
    [license.plan_id, license.plan_id, '2030-01-01 00:00:00', String(subscription.id), true],
  )
})

test('a plan of another product is not found', async () => {
  const install = await createInstallOf(app, await createOwner(app))
  const foreign = await licenseOf(app, 1, { product: app.seller.other })
  assert.equal((await put(install.id, { plan_id: foreign.plan_id })).status, 404)
})

test("another product's install, another user's and another install's are not found", async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const stranger = await createOwner(app)
  const second = await createInstallOf(app, owner)
  const { id, token } = app.seller.other
  assert.equal((await app.call('GET', `/products/${id}/installs/${install.id}.json`, { token })).status, 404)
  assert.equal((await asUser(app, stranger)('GET', `/installs/${install.id}.json`)).status, 404)
  assert.equal(
    (await asUser(app, stranger)('PUT', `/installs/${install.id}.json`, { title: 'mine' })).status,
    404,
  )
  assert.equal((await asUser(app, stranger)('DELETE', `/installs/${install.id}.json`)).status, 404)
  assert.equal((await asInstall(app, keysOf(second))('GET', '.json')).status, 200)
  const path = `/installs/${install.id}.json`
  const wrong = { ...keysOf(second), id: Number(install.id) }
  assert.equal((await asInstall(app, wrong)('GET', '.json')).status, 401)
  assert.equal((await app.call('GET', path, { token: null })).status, 401)
})

test('the secret key of an install is shown to who may see it only', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const { secret_key } = await get(install.id)
  assert.match(secret_key, /^sk_.{29}$/)
  assert.equal((await asUser(app, owner)('GET', `/installs/${install.id}.json`)).json.secret_key, secret_key)
  assert.equal((await asInstall(app, keysOf(install))('GET', '.json')).json.secret_key, secret_key)
  const events = await app.call('GET', path(`/installs/${install.id}/events.json`))
  assert.ok(!events.text.includes(secret_key))
  assert.equal(events.json.events[0].objects.install.id, install.id)
})

test('a license key puts its license on the install, and a key of nothing is refused', async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const call = asInstall(app, keysOf(install))
  const { json } = await call('PUT', '.json', { license_key: license.secret_key })
  assert.deepEqual([json.license_id, json.plan_id], [license.id, license.plan_id])
  const refused = await call('PUT', '.json', { license_key: 'sk_nothing' })
  assert.deepEqual([refused.status, refused.json.error.code], [404, 'invalid_license_key'])
  const second = await createInstallOf(app, owner)
  const used = await asInstall(app, keysOf(second))('PUT', '.json', { license_key: license.secret_key })
  assert.deepEqual([used.status, used.json.error.code], [400, 'license_utilized'])
})

test('a local install that moves to a public address takes a place of its license, or may not move', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const local = await createInstallOf(app, owner, { url: 'http://localhost' })
  await put(local.id, { license_key: license.secret_key })
  const counted = async () => {
    const { json } = await app.call('GET', path(`/licenses/${license.id}.json`))
    return [json.activated, json.activated_local]
  }
  assert.deepEqual(await counted(), [0, 1])
  const production = await createInstallOf(app, owner, { url: 'https://first.example.org' })
  await put(production.id, { license_key: license.secret_key })
  const refused = await put(local.id, { url: 'https://second.example.org' })
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'license_utilized'])
  assert.equal((await get(local.id)).url, 'http://localhost')
  assert.equal((await put(production.id, { url: 'http://localhost:8080' })).status, 200)
  assert.equal((await put(local.id, { url: 'https://second.example.org' })).status, 200)
  assert.deepEqual(await counted(), [1, 1])
})

test('an install that is deleted is gone and gives the place on its license back', async () => {
  const owner = await createOwner(app)
  const license = await licenseOf(app, 1, { body: { email: owner.email } })
  const install = await createInstallOf(app, owner)
  await put(install.id, { license_key: license.secret_key })
  assert.equal((await app.call('DELETE', path(`/installs/${install.id}.json`))).status, 204)
  assert.equal((await app.call('GET', path(`/installs/${install.id}.json`))).status, 404)
  assert.equal((await app.call('GET', path(`/licenses/${license.id}.json`))).json.activated, 0)
  const { events } = (await app.call('GET', path('/events.json?count=2'))).json
  assert.deepEqual(
    events.map((event: { type: string }) => event.type),
    ['install.deleted', 'license.deactivated'],
  )
  assert.equal(events[0].objects.install, false)
})

test('a downgrade takes an install back to the free plan, at once only when its license is deactivated or is over', async () => {
  const owner = await createOwner(app)
  const licensed = async (body: object = {}) => {
    const license = await licenseOf(app, 1, { body: { email: owner.email, ...body } })
    const install = await createInstallOf(app, owner)
    await put(install.id, { license_key: license.secret_key })
    return { license, install }
  }
  const down = (id: string, body: object) => app.call('PUT', path(`/installs/${id}/downgrade.json`), { body })
  const { license, install } = await licensed()
  const kept = (await down(install.id, { deactivate_license: false, reason_ids: 3 })).json
  assert.deepEqual([kept.plan_id, kept.license_id], [license.plan_id, license.id])
  const reason = { reason_ids: 3, reason: 'too much' }
  const taken = (await down(install.id, { deactivate_license: true, ...reason })).json
  assert.deepEqual([taken.plan_id, taken.license_id], [null, null])
  const [event] = (await eventsOf(app, install.id)).toReversed()
  assert.deepEqual(event, {
    type: 'install.plan.downgraded',
    data: { install_id: install.id, from: license.plan_id, to: null, ...reason },
  })
  assert.equal((await down(install.id, { reason_ids: 16 })).status, 400)
  const over = await licensed()
  await app.call('DELETE', path(`/licenses/${over.license.id}.json`))
  const after = (await down(over.install.id, {})).json
  assert.deepEqual([after.plan_id, after.license_id], [null, over.license.id])
})
