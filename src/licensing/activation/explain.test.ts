import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { release } from '../../../test/archives.ts'
import { licenseOf } from '../../../test/licenses.ts'
import { stateOf } from '../../../test/security/tables.ts'
import type { Check } from './explain-schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('explain')
  clients = clientsOf(app)
})
after(() => app.close())

const explain = (body: object, product = app.seller.product) =>
  app.call('POST', `/products/${product.id}/licenses/explain.json`, { token: product.token, body })

async function explained(body: object) {
  const { status, json, text } = await explain(body)
  assert.equal(status, 200, text)
  const checks = json.checks as readonly Check[]
  const by = (passed: boolean | null) =>
    checks
      .filter(({ is_passed }) => is_passed === passed)
      .map(({ name, code }) => (code ? `${name}: ${code}` : name))
  return { json, passed: by(true), refused: by(false), unasked: by(null) }
}

/** The code of the refusal of an activation. */
const codeOf = async (body: object): Promise<string> => (await clients.activate({ ...body })).json.error?.code

test('each rule of an activation that refuses is the one that the explanation names, with its code', async () => {
  const url = 'https://one.example.com'
  const cases: readonly (readonly [name: string, prepare: (uid: string) => Promise<object>])[] = [
    ['uid', async () => ({ license_key: (await clients.ownLicense()).secret_key, uid: 'short' })],
    ['license_key', async () => ({ license_key: 'sk_no such key' })],
    [
      'not_cancelled',
      async () => {
        const license = await clients.ownLicense()
        await clients.setLicense(license, { is_cancelled: true })
        return { license_key: license.secret_key }
      },
    ],
    [
      'not_expired',
      async () => {
        const license = await clients.ownLicense()
        await clients.setLicense(license, { expiration: '2026-01-31 10:00:00' })
        return { license_key: license.secret_key }
      },
    ],
    ['owner', async () => ({ license_key: (await licenseOf(app)).secret_key })],
    [
      'no_other_license',
      async (uid) => {
        const first = await clients.ownLicense()
        const { user_id } = first
        await clients.active(first, { uid })
        const second = await licenseOf(app)
        await clients.setLicense(second, { user_id: Number(user_id) })
        return { license_key: second.secret_key }
      },
    ],
    [
      'site',
      async () => {
        const license = await clients.ownLicense()
        await clients.addSite(license, 'deny', '*.example.com')
        return { license_key: license.secret_key, url }
      },
    ],
    [
      'quota',
      async () => {
        const license = await clients.ownLicense(1)
        await clients.active(license)
        return { license_key: license.secret_key, url }
      },
    ],
  ]
  for (const [name, prepare] of cases) {
    const uid = newUid()
    const body = { uid, ...(await prepare(uid)) }
    const { json } = await explained(body)
    const first = (json.checks as readonly Check[]).find(({ is_passed }) => is_passed === false)
    assert.equal(first?.name, name)
    assert.equal(first?.code, await codeOf(body), name)
  }
})

test('a plan of a product that is not released is told, and a license of the sandbox need not wait for that', async () => {
  const license = await clients.ownLicense()
  const release = (is_released: boolean) =>
    app.write(({ db }) =>
      db.updateTable('products').set({ is_released }).where('id', '=', app.seller.product.id).execute(),
    )
  await release(false)
  try {
    assert.deepEqual((await explained({ license_id: license.id })).refused, ['released: license_error'])
    assert.equal(await codeOf({ license_key: license.secret_key }), 'license_error')
    await clients.setLicense(license, { environment: 1 })
    assert.deepEqual((await explained({ license_id: license.id })).refused, [])
  } finally {
    await release(true)
  }
})

test('every check is asked whatever the others say, but for what makes no sense without an earlier one', async () => {
  const license = await clients.ownLicense(1)
  const { uid } = await clients.active(license, { url: 'https://a.example.com', version: '1.0' })
  await clients.setLicense(license, { is_cancelled: true, expiration: '2026-01-01 00:00:00', quota: 1 })
  const here = await explained({ license_key: license.secret_key, uid })
  assert.deepEqual(here.refused, [
    'not_cancelled: license_cancelled',
    'not_expired: license_expired',
    'updates: license_cancelled',
  ])
  assert.ok(here.passed.includes('active'), 'it is verified all the same: the client judges')
  assert.ok(here.passed.includes('quota'), 'where it is active it has its place')
  const elsewhere = await explained({ license_id: license.id, url: 'https://b.example.com' })
  assert.deepEqual(elsewhere.refused.slice(2), ['quota: license_utilized'])
  assert.deepEqual(elsewhere.unasked, [
    'uid',
    'license_key',
    'no_other_license',
    'active',
    'updates',
    'newer_version',
  ])
})

test('an install is told the version that it would be offered, and the offer is not made', async () => {
  const license = await clients.ownLicense()
  const { uid, installId } = await clients.active(license, { version: '1.0' })
  assert.deepEqual((await explained({ license_id: license.id, uid })).refused, ['newer_version: not_found'])
  const id = await release(app, '2.0', { release_mode: 'released', limit: 1 })
  const { json, refused } = await explained({ license_id: license.id, uid })
  assert.deepEqual([json.install_id, json.offered_version, refused], [installId, '2.0', []])
  const { offered } = await app.ctx.db
    .selectFrom('deployments')
    .select('offered')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  assert.equal(offered, 0)
  const newest = await explained({ license_id: license.id, uid, version: '2.0' })
  assert.deepEqual(newest.refused, ['newer_version: not_found'])
})

test('an explanation changes nothing', async () => {
  const license = await clients.ownLicense(1)
  const { uid } = await clients.active(license)
  const nobodys = await licenseOf(app)
  const before = await stateOf(app.ctx.database)
  for (const body of [
    { license_key: license.secret_key, uid, url: 'https://x.example.com', version: '0.1' },
    { license_key: license.secret_key, uid: newUid() },
    { license_key: nobodys.secret_key, uid: newUid() },
    { license_id: nobodys.id, uid },
  ])
    await explained(body)
  assert.deepEqual(await stateOf(app.ctx.database), before)
})

test('the license of another product is not explained, and one of the two names of a license is wanted', async () => {
  const license = await clients.ownLicense()
  const { other } = app.seller
  assert.equal((await explain({ license_id: license.id }, other)).status, 404)
  const byKey = await explain({ license_key: license.secret_key }, other)
  assert.deepEqual([byKey.status, byKey.json.license_id], [200, null])
  const neither = await explain({})
  assert.deepEqual([neither.status, neither.json.error.details[0].field], [402, 'license_key'])
})
