import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, KEY_PREFIXES, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { countStatements } from '../../../test/count-statements.ts'
import { SECOND, toUtcTime } from '../../lib/time.ts'
import { verify } from './verify.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('verify')
  clients = clientsOf(app)
})
after(() => app.close())

test('verification by install, uid and key answers the license, also one that has ended', async () => {
  const license = await clients.ownLicense(3)
  const active = await clients.active(license)
  const reply = await clients.verify(active)
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.json, { ...license, activated: 1, valid: true, reason: null })
  await clients.setLicense(license, { expiration: '2026-01-01 00:00:00', is_cancelled: true })
  const { json } = await clients.verify(active)
  assert.deepEqual(
    [json.is_cancelled, json.expiration, json.is_block_features],
    [true, '2026-01-01 00:00:00', true],
  )
  assert.deepEqual((await clients.verify(active, { fields: 'id,quota' })).json, { id: license.id, quota: 3 })
})

test('a verified license says whether it opens its features, and why not', async () => {
  const license = await clients.ownLicense(1)
  const active = await clients.active(license)
  const past = '2026-01-01 00:00:00'
  const later = '2027-01-01 00:00:00'
  const cases = [
    [{ expiration: later, is_block_features: true }, true, null],
    [{ expiration: null, is_block_features: true }, true, null],
    [{ expiration: past, is_block_features: true }, false, 'license_expired'],
    [{ expiration: past, is_block_features: false }, true, null],
    [{ expiration: past, is_block_features: false, is_trial: true }, false, 'license_expired'],
    [{ expiration: later, is_cancelled: true, is_trial: false }, false, 'license_cancelled'],
    [{ expiration: past, is_block_features: true, is_cancelled: true }, false, 'license_cancelled'],
  ] as const
  for (const [change, valid, reason] of cases) {
    await clients.setLicense(license, change)
    const { json } = await clients.verify(active)
    assert.deepEqual([json.valid, json.reason], [valid, reason], JSON.stringify(change))
  }
  await clients.setLicense(license, { is_cancelled: false, is_block_features: true })
  const end = toUtcTime(app.ctx.clock.real() + SECOND)
  await clients.setLicense(license, { expiration: end })
  assert.equal((await clients.verify(active)).json.valid, true)
  app.ctx.clock.advance(SECOND)
  assert.equal((await clients.verify(active)).json.valid, false)
})

test('it works at the path of the install itself too', async () => {
  const license = await clients.ownLicense()
  const { installId, uid, key } = await clients.active(license)
  const query = new URLSearchParams({ uid, license_key: key })
  const path = `/installs/${installId}/license.json?${query}`
  const reply = await app.call('GET', path, { token: null })
  assert.deepEqual([reply.status, reply.json.id], [200, license.id])
})

test('another key, uid, install or product, and a license that was taken off, are 404', async () => {
  const license = await clients.ownLicense(2)
  const active = await clients.active(license)
  const other = await clients.active(await clients.ownLicense())
  const wrong = [
    { ...active, key: other.key },
    { ...active, key: 'sk_nothing' },
    { ...active, uid: other.uid },
    { ...active, uid: newUid() },
    { ...active, installId: other.installId },
    { ...active, installId: '999999' },
  ]
  for (const one of wrong) assert.equal(await clients.refusal(clients.verify(one)), '404 not_found')
  const query = new URLSearchParams({ uid: active.uid, license_key: active.key })
  const path = `/products/${app.seller.other.id}/installs/${active.installId}/license.json?${query}`
  assert.equal((await app.call('GET', path, { token: null })).status, 404)
  assert.equal((await clients.deactivate(active)).status, 200)
  assert.equal(await clients.refusal(clients.verify(active)), '404 not_found')
  assert.equal(await clients.refusal(clients.verify({ ...other, uid: 'short' })), '400 invalid_uid')
})

test('it is one statement, and writes nothing', async () => {
  const license = await clients.ownLicense()
  const { installId, uid, key } = await clients.active(license)
  const before = await clients.installRow(installId)
  app.ctx.clock.advance(60_000)
  const counted = countStatements(app.ctx.db, app.ctx.database.engine)
  const scope = { productId: app.seller.product.id }
  const ctx = { ...app.ctx, db: counted.db }
  await verify(ctx, scope as Parameters<typeof verify>[1], Number(installId), { uid, license_key: key })
  assert.equal(counted.taken().length, 1)
  assert.equal((await clients.verify({ uid, key, installId, token: '', json: {} })).status, 200)
  assert.deepEqual(await clients.installRow(installId), before)
})

for (const prefix of KEY_PREFIXES) {
  test(`a deactivation gives the place back, by key, uid and install together (${prefix}/deactivate.json)`, async () => {
    const clients = clientsOf(app, prefix)
    const license = await clients.ownLicense(1)
    const active = await clients.active(license, { url: 'https://shop.com' })
    const other = await clients.active(await clients.ownLicense())
    const wrong: [string, Record<string, string>][] = [
      ['404 invalid_license_key', { license_key: 'sk_nothing' }],
      ['404 not_found', { uid: other.uid }],
      ['404 not_found', { install_id: other.installId }],
      ['400 license_error', { license_key: other.key }],
      ['400 invalid_uid', { uid: 'short' }],
    ]
    for (const [expected, more] of wrong) {
      assert.equal(await clients.refusal(clients.deactivate(active, more)), expected)
    }
    assert.deepEqual(await clients.counts(license), [1, 0])
    const reply = await clients.deactivate(active)
    assert.equal(reply.status, 200)
    assert.deepEqual(
      [reply.json.id, reply.json.license_id, reply.json.plan_id, reply.json.secret_key],
      [active.installId, null, null, undefined],
    )
    assert.deepEqual(await clients.counts(license), [0, 0])
    assert.equal(await clients.refusal(clients.deactivate(active)), '400 license_error')
    assert.equal((await clients.activate({ license_key: license.secret_key })).status, 200)
    const missing = await app.call('POST', clients.path('/deactivate.json'), { token: null, body: {} })
    assert.equal(missing.status, 402)
  })
}

test('an install with its token sees and changes the license it has, and no other', async () => {
  const license = await clients.ownLicense(2)
  const { installId, token, uid } = await clients.active(license)
  const foreign = await clients.ownLicense()
  const path = (id: string, query = '') => `/installs/${installId}/licenses/${id}.json${query}`
  const call = (method: 'GET' | 'PUT' | 'DELETE', id: string, query = '') =>
    app.call(method, path(id, query), { token })
  assert.equal((await call('GET', license.id)).json.id, license.id)
  assert.equal(await clients.refusal(call('GET', license.id, '?license_key=x')), '404 invalid_license_key')
  assert.equal(await clients.refusal(call('GET', foreign.id)), '404 not_found')
  assert.equal(await clients.refusal(call('PUT', foreign.id)), '404 not_found')
  assert.equal(await clients.refusal(call('DELETE', foreign.id)), '404 not_found')
  const rich = await app.call('GET', `/installs/${installId}/licenses.json?is_enriched=true`, { token })
  assert.deepEqual([rich.json.licenses[0].id, rich.json.licenses[0].parent_plan_name], [license.id, null])
  const ofUser = `/products/${app.seller.product.id}/users/${license.user_id}/licenses.json?is_enriched=true`
  const known = (await app.call('GET', ofUser)).json.licenses.find(
    ({ id }: { readonly id: string }) => id === license.id,
  )
  assert.deepEqual(rich.json.licenses[0], known, 'as the list of its user has it')
  const off = await call('DELETE', license.id)
  assert.deepEqual([off.status, off.json.activated], [200, 0])
  assert.deepEqual((await app.call('GET', `/installs/${installId}/licenses.json`, { token })).json, {
    licenses: [],
  })
  const on = await call('PUT', license.id)
  assert.deepEqual([on.status, on.json.activated], [200, 1])
  await clients.setLicense(foreign, { is_cancelled: true })
  const ended = call('PUT', foreign.id, `?license_key=${foreign.secret_key}`)
  assert.equal(await clients.refusal(ended), '400 license_cancelled')
  await clients.setLicense(foreign, { is_cancelled: false })
  const theirs = await call('PUT', foreign.id, `?license_key=${foreign.secret_key}`)
  assert.deepEqual([theirs.status, theirs.json.activated], [200, 1])
  assert.equal((await call('GET', foreign.id)).json.user_id, foreign.user_id)
  assert.deepEqual(
    [await clients.counts(license), await clients.counts(foreign)],
    [
      [0, 0],
      [1, 0],
    ],
  )
  const verified = await clients.verify({ installId, uid, key: foreign.secret_key, token, json: {} })
  assert.equal(verified.status, 200)
  const stranger = await clients.active(await clients.ownLicense())
  assert.equal((await app.call('GET', path(license.id), { token: stranger.token })).status, 401)
})

test('a seller names the key with the license: 402 without, 404 for another one', async () => {
  const license = await clients.ownLicense(2)
  const { installId } = await clients.active(license)
  const path = (query: string) => clients.path(`/installs/${installId}/licenses/${license.id}.json${query}`)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal((await app.call(method, path(''))).status, 402, method)
    assert.equal((await app.call(method, path('?license_key=sk_no'))).status, 404, method)
  }
  const good = path(`?license_key=${license.secret_key}`)
  for (const method of ['GET', 'PUT', 'DELETE', 'PUT'] as const) {
    assert.equal((await app.call(method, good)).status, 200, method)
  }
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal((await app.call(method, path('?is_migration=true'))).status, 200, method)
    assert.equal((await app.call(method, path('?is_migration=false'))).status, 402, method)
  }
  const body = { is_migration: true }
  assert.equal((await app.call('PUT', path(''), { body })).status, 200)
  assert.deepEqual(await clients.counts(license), [1, 0])
})
