import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Active, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { expectOk, holding } from '../../../test/installs.ts'
import { eventsOfLicense, userOf } from '../../../test/licenses.ts'
import { auditOf } from '../../../test/logins.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import type { License } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('rotate_key')
  clients = clientsOf(app)
})
after(() => app.close())

/** The owner of a license, in the portal. */
const ownerOf = (license: License) => inPortal(app, { id: String(license.user_id) })

const keyPath = (license: License) => `/products/${app.seller.product.id}/licenses/${license.id}/key.json`

async function rotated(license: License, body: object = {}): Promise<string> {
  const { call } = await ownerOf(license)
  return expectOk(await call('POST', keyPath(license), body)).json.secret_key
}

/** What an install reads of the license that is active on it, by its own token. */
const readBy = ({ installId, token }: Active, { id }: License) =>
  app.call('GET', `/installs/${installId}/licenses/${id}.json`, { token })

test('the old key opens nothing from then on, and the other one what it did', async () => {
  const license = await clients.ownLicense(5)
  const site = await clients.active(license)
  const key = await rotated(license)
  assert.match(key, /^sk_/)
  assert.notEqual(key, license.secret_key)
  const old = { license_key: license.secret_key }
  assert.equal(await clients.refusal(clients.activate(old)), '404 invalid_license_key')
  assert.equal(await clients.refusal(clients.deactivate(site)), '404 invalid_license_key')
  assert.equal((await clients.verify(site)).status, 404)
  await clients.active({ ...license, secret_key: key })
  assert.equal((await clients.verify({ ...site, key })).status, 200)
  assert.deepEqual(await clients.counts(license), [2, 0])
})

test('a site goes on with its own keys, and reads the other key', async () => {
  const license = await clients.ownLicense(5)
  const site = await clients.active(license)
  const { user } = holding(app, site.json)
  const key = await rotated(license)
  const read = await readBy(site, license)
  assert.deepEqual([read.status, read.json.secret_key], [200, key])
  assert.equal((await user('GET', `/licenses/${license.id}.json`)).status, 200)
})

test('keys that came by the old key and run on no site of the license do not open it any more', async () => {
  const license = await clients.ownLicense(5)
  const site = await clients.active(license)
  const { user } = holding(app, site.json)
  expectOk(await clients.deactivate(site))
  assert.equal((await user('GET', `/licenses/${license.id}.json`)).status, 200)
  await rotated(license)
  assert.equal((await user('GET', `/licenses/${license.id}.json`)).status, 404)
})

test('with the sites taken off, none of them reads the other key', async () => {
  const license = await clients.ownLicense(5)
  const sites = [await clients.active(license), await clients.active(license)]
  await rotated(license, { deactivate_installs: true })
  assert.deepEqual(await clients.counts(license), [0, 0])
  for (const site of sites) {
    const { user } = holding(app, site.json)
    assert.equal((await user('GET', `/licenses/${license.id}.json`)).status, 404)
    assert.equal((await readBy(site, license)).status, 404)
  }
})

test('a rotation is told as an event and in the audit log, without a key', async () => {
  const license = await clients.ownLicense(5)
  const key = await rotated(license)
  const events = await eventsOfLicense(app, license.id)
  assert.deepEqual(events.at(-1), {
    type: 'license.key.rotated',
    user_id: Number(license.user_id),
    data: { license_id: license.id },
  })
  const done = (await auditOf(app, 'keywright/rotate-license-key')).at(-1)
  assert.equal(done?.actor_kind, 'user')
  assert.ok(!JSON.stringify([done, events]).includes(key))
})

test('a seller has a key shown: it stays as it was, and the audit log has who saw it, without the key', async () => {
  const license = await clients.ownLicense(5)
  const as = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/licenses/${license.id}`
  const before = (await as('GET', `${path}.json`)).json
  const { json } = expectOk(await as('POST', `${path}/key/show.json`))
  assert.equal(json.secret_key, license.secret_key)
  assert.deepEqual((await as('GET', `${path}.json`)).json, before)
  const seen = await auditOf(app, 'keywright/show-license-key')
  assert.deepEqual(
    seen.map(({ actor_kind: kind, details }) => [kind, details['id']]),
    [['developer', license.id]],
  )
  assert.ok(!JSON.stringify(seen).includes(String(license.secret_key)))
  assert.equal((await app.call('POST', clients.path(`/licenses/${license.id}/key/show.json`))).status, 401)
  assert.equal((await as('POST', path.replace(license.id, '987654321') + '/key/show.json')).status, 404)
})

test('the seller rotates a key too; that of a cancelled license is not', async () => {
  const license = await clients.ownLicense(5)
  const path = clients.path(`/licenses/${license.id}`)
  const { json } = expectOk(await app.call('POST', `${path}/key.json`, { body: {} }))
  assert.notEqual(json.secret_key, license.secret_key)
  expectOk(await app.call('DELETE', `${path}.json`))
  assert.equal(
    await clients.refusal(app.call('POST', `${path}/key.json`, { body: {} })),
    '400 license_cancelled',
  )
})

test('nobody else rotates a key or takes a license off its sites: no other buyer, and not who only knows the key', async () => {
  const license = await clients.ownLicense(5)
  const site = await clients.active(license)
  const stranger = await inPortal(app, { id: await userOf(app, `${newUid()}@example.com`) })
  const { user } = holding(app, site.json)
  const installs = `/products/${app.seller.product.id}/licenses/${license.id}/installs.json`
  for (const [method, path] of [
    ['POST', keyPath(license)],
    ['DELETE', installs],
  ] as const) {
    assert.equal((await stranger.call(method, path, {})).status, 404)
    const short = path.replace(/^\/products\/\d+/, '')
    assert.equal(await clients.refusal(user(method, short, {})), '400 account_verification_required')
  }
  assert.deepEqual(await clients.counts(license), [1, 0])
  const owner = await ownerOf(license)
  expectOk(await owner.call('DELETE', installs))
  assert.deepEqual(await clients.counts(license), [0, 0])
})
