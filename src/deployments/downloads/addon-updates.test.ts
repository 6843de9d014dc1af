import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, release, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { signed, type Signer } from '../../../test/security/signing.ts'
import { toRfc2822 } from '../../lib/time.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
/** Has a license of the add-on. */
let owner: Signer
/** Of the first product, whose add-on the other one is; the owner's. */
let licensed: Install
/** Of another user. */
let plain: Install

before(async () => {
  app = await startTestApp('addon_updates')
  const { product, other } = app.seller
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('products')
      .set({ kind: 'addon', parent_plugin_id: product.id })
      .where('id', '=', other.id)
      .execute(),
  )
  const user = await createOwner(app)
  owner = user
  await createOwner(app, user.email, other)
  await licenseOn(app, await offerFor(app, 1, { product: other }), {
    product: other,
    body: { email: user.email },
  })
  licensed = await createInstallOf(app, user, { version: '1.0' })
  plain = await createInstallOf(app, await createOwner(app), { version: '1.0' })
  await release(app, '1.5', { release_mode: 'released' }, other)
})
after(() => app.close())

/** Signed as clients sign: by an install, or with the public key of a product. */
async function ask(signer: Signer, path: string, scheme: 'FS' | 'FSP' = 'FS') {
  const date = toRfc2822(app.ctx.clock.real())
  const { headers } = signed(signer, { method: 'GET', path }, { scheme, date, signedType: null })
  const response = await fetch(app.address + path, { headers: headers as Record<string, string> })
  const type = response.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await response.arrayBuffer())
  const json = type.includes('json') ? JSON.parse(bytes.toString()) : null
  const name = response.headers.get('content-disposition')
  return { status: response.status, type, name, json }
}

const byInstall = (install: Install, rest: string) => {
  const path = `/v1/installs/${install.id}/addons/${app.seller.other.id}/updates/${rest}`
  return ask(keysOf(install) as Signer, path)
}

const eventsOf = async (product: { id: number; token: string }, type: string) =>
  expectOk(
    await app.call('GET', `/products/${product.id}/events.json?count=50&type=${type}`, {
      token: product.token,
    }),
  ).json.events

test('an install asks for the update of an add-on, and its user has a license of it or not', async () => {
  const premium = await byInstall(licensed, 'latest.json?is_premium=true&newer_than=1.0')
  assert.deepEqual([premium.status, premium.json.version], [200, '1.5'])
  assert.equal(premium.json.plugin_id, String(app.seller.other.id))
  assert.match(premium.json.url, /[?&]is_premium=true/)
  const refused = await byInstall(plain, 'latest.json?is_premium=true&newer_than=1.0')
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'license_error'])
  const free = await byInstall(plain, 'latest.json?newer_than=1.0')
  assert.deepEqual([free.status, /is_premium/.test(free.json.url)], [200, false])
  const newest = await byInstall(licensed, 'latest.json?newer_than=1.5')
  assert.deepEqual([newest.status, newest.json.error.http], [404, 404])
  const none = await ask(
    keysOf(licensed) as Signer,
    `/v1/installs/${licensed.id}/addons/${app.seller.product.id}/updates/latest.json`,
  )
  assert.equal(none.status, 404, 'the product is no add-on of its own')
})

test('downloads of an add-on are told and counted for the add-on, with who they are for', async () => {
  const { product, other } = app.seller
  assert.equal((await byInstall(licensed, 'latest.zip?is_premium=true')).type, 'application/zip')
  assert.equal((await byInstall(plain, 'latest.zip')).type, 'application/zip')
  const [premium] = await eventsOf(other, 'addon.premium.downloaded')
  const [free] = await eventsOf(other, 'addon.free.downloaded')
  assert.deepEqual([premium.user_id, free.data.version], [licensed.user_id, '1.5'])
  assert.deepEqual(await eventsOf(product, 'addon.free.downloaded'), [])
  const [tag] = (await app.call('GET', `/products/${other.id}/tags.json`, { token: other.token })).json.tags
  assert.equal(tag.downloaded, 2)
  await byInstall(licensed, 'latest.zip?is_premium=false')
  const [known] = await eventsOf(other, 'addon.free.downloaded')
  assert.deepEqual([known.objects.user.id, known.objects.install], [licensed.user_id, null])
})

test('who tells the version in use is led through an incremental one at either address: an install, a user, anybody', async () => {
  const { product, other } = app.seller
  const incremental = { release_mode: 'released', is_incremental: true }
  const stop = await release(app, '1.6', incremental, other)
  const last = await release(app, '1.7', { release_mode: 'released' }, other)
  const paths: [Signer, string, 'FS' | 'FSP'][] = [
    [keysOf(licensed) as Signer, `/v1/installs/${licensed.id}/addons/${other.id}`, 'FS'],
    [owner, `/v1/users/${owner.id}/plugins/${other.id}`, 'FS'],
    [product, `/v1/plugins/${product.id}/addons/${other.id}`, 'FSP'],
  ]
  for (const [signer, path, scheme] of paths) {
    const both = async (newerThan: string) => {
      const [json, zip] = await Promise.all(
        ['json', 'zip'].map((end) =>
          ask(signer, `${path}/updates/latest.${end}?newer_than=${newerThan}`, scheme),
        ),
      )
      return [
        json?.json.version ?? json?.status,
        /\.(1\.\d)\.zip"$/.exec(zip?.name ?? '')?.[1] ?? zip?.status,
      ]
    }
    assert.deepEqual(await both('1.5'), ['1.6', '1.6'], path)
    assert.deepEqual(await both('1.6'), ['1.7', '1.7'], path)
    assert.deepEqual(await both('1.7'), [404, 404], path)
  }
  for (const id of [stop, last])
    await app.call('DELETE', `/products/${other.id}/tags/${id}.json`, { token: other.token })
})

test('anybody with the public key of the product is offered the free build of its add-on', async () => {
  const { product, other } = app.seller
  const path = `/v1/plugins/${product.id}/addons/${other.id}/updates/latest`
  const found = await ask(product, `${path}.json?newer_than=1.0`, 'FSP')
  assert.deepEqual([found.status, found.json.version], [200, '1.5'])
  assert.equal((await ask(product, `${path}.json?is_premium=true`, 'FSP')).json.error.code, 'license_error')
  assert.equal((await ask(product, `${path}.zip`, 'FSP')).type, 'application/zip')
})

test('an update comes with its upgrade notice where that is asked for: of a product or an add-on, by an install or anybody', async () => {
  const { product, other } = app.seller
  await release(app, '1.5')
  const install = keysOf(licensed) as Signer
  const ways: [Signer, string, 'FS' | 'FSP'][] = [
    [install, `/v1/installs/${licensed.id}`, 'FS'],
    [product, `/v1/plugins/${product.id}`, 'FSP'],
    [install, `/v1/installs/${licensed.id}/addons/${other.id}`, 'FS'],
    [product, `/v1/plugins/${product.id}/addons/${other.id}`, 'FSP'],
  ]
  for (const [signer, path, scheme] of ways) {
    const notice = async (more: string) => {
      const { status, json } = await ask(signer, `${path}/updates/latest.json?newer_than=1.0${more}`, scheme)
      assert.equal(status, 200, path)
      return json.upgrade_notice
    }
    assert.equal(await notice('&include_upgrade_notice=true'), 'Upgrade now.', path)
    assert.equal(await notice('&include_upgrade_notice=false'), undefined, path)
    assert.equal(await notice(''), undefined, path)
  }
})

test('each step in the life of a version is told', async () => {
  const { product } = app.seller
  const { id } = (await upload(app, await pluginZip({ version: '8.0' }))).json
  const path = `/products/${product.id}/tags/${id}.json`
  for (const body of [
    { release_mode: 'beta' },
    { release_mode: 'released' },
    { is_incremental: true },
    { is_incremental: true },
    { release_mode: 'pending' },
  ])
    expectOk(await app.call('PUT', path, { body }))
  expectOk(await app.call('DELETE', path))
  const rows = await app.ctx.db.selectFrom('events').select(['type', 'data']).orderBy('id').execute()
  const told = rows.filter(({ data }) => JSON.parse(data ?? '{}').tag === id).map(({ type }) => type)
  assert.deepEqual(told, [
    'plugin.version.deployed',
    'plugin.version.beta.released',
    'plugin.version.released',
    'plugin.version.updated',
    'plugin.version.release.suspended',
    'plugin.version.deleted',
  ])
})
