import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asInstall, asUser } from '../../../test/callers.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { createInstallOf, createOwner, expectOk, keysOf, newUid } from '../../../test/installs.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('user_installs')
})
after(() => app.close())

const newInstall = async (body: object = {}) => createInstallOf(app, await createOwner(app), { ...body })

test('a user creates an install, several sites at once, and changes them by one list', async () => {
  const owner = await createOwner(app)
  const call = asUser(app, owner)
  const { id: productId } = app.seller.product
  const single = expectOk(
    await call('POST', `/plugins/${productId}/installs.json`, { uid: newUid(), title: 'One' }),
  ).json
  assert.deepEqual([single.title, single.user_id], ['One', String(owner.id)])
  const sites = [newUid(), newUid()].map((uid, index) => ({ uid, title: `Site ${index}` }))
  const network = expectOk(await call('POST', '/installs.json', { version: '3.0', sites })).json.installs
  assert.deepEqual(
    network.map((one: { title: string; version: string }) => [one.title, one.version]),
    [
      ['Site 0', '3.0'],
      ['Site 1', '3.0'],
    ],
  )
  const stranger = await newInstall({ title: 'Not yours' })
  const changes = [
    { id: network[1].id, title: 'B' },
    { id: network[0].id, title: 'A' },
    { id: stranger.id, title: 'C' },
    { version: '4.0' },
  ]
  const { installs } = expectOk(await call('PUT', `/plugins/${productId}/installs.json`, changes)).json
  assert.deepEqual(
    installs.map((one: { title: string; version: string }) => [one.title, one.version]),
    [
      ['A', '4.0'],
      ['B', '4.0'],
    ],
  )
  const refused = await call('PUT', '/installs.json', [{ id: network[0].id, is_active: 'x' }])
  assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'installs.0.is_active'])
  assert.equal((await call('POST', '/installs.json', { sites: [{ title: 'no uid' }] })).status, 402)
  assert.equal((await call('POST', '/installs.json', {})).status, 402)
  const { installs_metadata: metadata } = expectOk(
    await call('PUT', '/installs/permissions.json', {
      is_enabled: false,
      permissions: 'site',
      install_ids: network[0].id,
    }),
  ).json
  assert.deepEqual(
    metadata.map((one: { install_id: string }) => one.install_id),
    [network[0].id],
  )
  assert.equal((await call('DELETE', `/installs.json?ids=${network[0].id},${stranger.id}`)).status, 404)
  assert.equal((await call('DELETE', `/installs.json?ids=${network[0].id},${network[1].id}`)).status, 204)
  const left = (await call('GET', '/installs.json')).json.installs
  assert.deepEqual(
    left.map((one: { id: string }) => one.id),
    [single.id],
  )
})

test('installs that a seller brings along say where they come from, and are told of no event; a user names no source', async () => {
  const owner = await createOwner(app)
  const path = `/products/${app.seller.product.id}/users/${owner.id}/installs.json`
  const brought = { is_migration: true, source: 'EDD' }
  const single = expectOk(await app.call('POST', path, { body: { uid: newUid(), ...brought } })).json
  assert.equal(single.source, 2)
  const read = await app.call('GET', `/products/${app.seller.product.id}/installs/${single.id}.json`)
  assert.equal(expectOk(read).json.source, 2)
  const sites = [{ uid: newUid() }, { uid: newUid() }]
  const { installs } = expectOk(await app.call('POST', path, { body: { ...brought, sites } })).json
  assert.deepEqual(
    installs.map(({ source }: { source: number }) => source),
    [2, 2],
  )
  const events = app.ctx.db.selectFrom('events').select('id').where('install_id', '=', Number(single.id))
  assert.deepEqual(await events.execute(), [])
  const own = await asUser(app, owner)('POST', '/installs.json', { uid: newUid(), ...brought })
  assert.equal(expectOk(own).json.source, 0)
  const here = expectOk(await app.call('POST', path, { body: { uid: newUid() } })).json
  assert.equal(here.source, 0)
  const unknown = await app.call('POST', path, { body: { uid: newUid(), source: 'nowhere' } })
  assert.equal(unknown.status, 400)
})

test("an install creates one of an add-on on its site, for its owner, who becomes the add-on's user", async () => {
  const owner = await createOwner(app)
  const install = await createInstallOf(app, owner, { url: 'https://with-addon.example' })
  const { developer, store, product } = app.seller
  const scope = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addonId = await app.write((tx) => createAddon(tx, scope, 'Extension'))
  const call = asInstall(app, keysOf(install))
  const [addon] = expectOk(await call('POST', `/addons/${addonId}/installs.json`, { version: '1.0' })).json
    .installs
  assert.deepEqual(
    [addon.plugin_id, addon.user_id, addon.url, addon.version, addon.site_id],
    [String(addonId), String(owner.id), 'https://with-addon.example', '1.0', install.site_id],
  )
  const [again] = expectOk(await call('POST', `/addons/${addonId}/installs.json`, {})).json.installs
  assert.equal(again.id, addon.id)
  assert.equal((await call('POST', `/addons/${app.seller.other.id}/installs.json`, {})).status, 404)
})

test('a developer invites to its team by an address; by an id only who is in it gets the role', async () => {
  const install = await newInstall()
  const call = await asDeveloper(app)
  const url = `/products/${app.seller.product.id}/installs/${install.id}/members.json`
  const invite = (body: object) => call('POST', url, body)
  const { status, json } = await invite({ role: 'support', email: 'new@example.com' })
  assert.deepEqual(
    [status, json.email, json.role, json.plugin_id],
    [200, 'new@example.com', 'support', install.plugin_id],
  )
  const again = await invite({ role: 'admin', member_id: json.id })
  assert.deepEqual([again.json.id, again.json.role], [json.id, 'admin'])
  assert.equal((await invite({ role: 'admin', member_id: 987654321 })).status, 404)
  assert.equal((await invite({ role: 'admin' })).status, 402)
  assert.equal((await invite({ role: 'king', email: 'a@example.com' })).status, 400)
  const nowhere = `/products/${app.seller.product.id}/installs/999999/members.json`
  assert.equal((await call('POST', nowhere, { role: 'admin', email: 'b@example.com' })).status, 404)
})
