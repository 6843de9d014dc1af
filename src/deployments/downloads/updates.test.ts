import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pluginZip, release, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { licenseOf, licenseOn, offerFor } from '../../../test/licenses.ts'
import { signed, signedInQuery, type Signer } from '../../../test/security/signing.ts'
import { DAY, HOUR, toRfc2822 } from '../../lib/time.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('updates')
})
after(() => app.close())

beforeEach(async () => {
  await app.ctx.database.transaction(async (db) => {
    await db.deleteFrom('deployment_users').execute()
    await db.deleteFrom('deployments').execute()
  })
})

const product = () => app.seller.product
const at = (rest: string) => `/products/${product().id}${rest}`

async function newInstall(body: object = {}): Promise<Install> {
  const owner = await createOwner(app)
  return createInstallOf(app, owner, { version: '1.0', ...body })
}

/** An install with a license, for a year. */
async function licensed(): Promise<Install> {
  const owner = await createOwner(app)
  const offer = await offerFor(app, 5)
  const license = await licenseOn(app, offer, { body: { email: owner.email } })
  return createInstallOf(app, owner, { version: '1.0', license_key: license.secret_key })
}

/** What an install is told to be its next version; null for none. */
async function offered(install: Install, query = `newer_than=${install.version}`): Promise<string | null> {
  const { status, json, text } = await app.call(
    'GET',
    at(`/installs/${install.id}/updates/latest.json?${query}`),
  )
  if (status === 404) return null
  assert.equal(status, 200, text)
  return json.version
}

/** The version that an install was sent last. */
const servedTo = async ({ id }: Install): Promise<string | null> =>
  expectOk(await app.call('GET', at(`/installs/${id}.json`))).json.last_served_update_version

const change = async (id: string, body: object) =>
  expectOk(await app.call('PUT', at(`/tags/${id}.json`), { body })).json

const setInstall = async (install: Install, body: object): Promise<Install> =>
  expectOk(await app.call('PUT', at(`/installs/${install.id}.json`), { body })).json

/** Signed by an install, as clients sign. */
async function byInstall(install: Install, rest: string) {
  const path = `/v1/installs/${install.id}${rest}`
  const call = signed(
    keysOf(install) as Signer,
    { method: 'GET', path },
    {
      date: toRfc2822(app.ctx.clock.real()),
      signedType: 'application/json',
    },
  )
  const response = await fetch(app.address + path, { headers: call.headers as Record<string, string> })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
}

test('an incremental version is not skipped, and what is suspended is offered to nobody', async () => {
  let install = await licensed()
  const stable = await release(app, '1.1')
  await release(app, '1.2', { release_mode: 'released', is_incremental: true })
  const beta = await release(app, '2.0-beta', { release_mode: 'beta' })
  await release(app, '3.0', { release_mode: 'pending' })
  assert.equal(await offered(install), '1.2')
  install = await setInstall(install, { version: '1.1' })
  assert.equal(await offered(install), '1.2', 'an incremental version is not skipped')
  install = await setInstall(install, { version: '1.2' })
  assert.equal(await offered(install), null, 'a beta is for who takes part')
  install = await setInstall(install, { is_beta: true })
  assert.equal(await offered(install), '2.0-beta')
  install = await setInstall(install, { version: '2.0-beta' })
  assert.equal(await offered(install), null)
  const last = await release(app, '2.0')
  assert.equal(await offered(install), '2.0')
  install = await setInstall(install, { is_beta: false, version: '2.0' })
  assert.equal(await offered(install), null)
  assert.equal(await offered(install, 'newer_than=1.0'), '1.2', 'from 1.0 the way leads through 1.2')
  await change(last, { release_mode: 'pending' })
  install = await setInstall(install, { version: '1.2' })
  assert.equal(await offered(install), null, 'what is suspended is offered to nobody')
  await change(beta, { release_mode: 'released' })
  assert.equal(await offered(install), '2.0-beta')
  await change(stable, { is_incremental: false })
})

test('a user who takes part in the beta does so on every install', async () => {
  const install = await newInstall()
  await release(app, '1.1-beta.1', { release_mode: 'beta' })
  assert.equal(await offered(install), null)
  await app.call('PUT', at(`/users/${install.user_id}.json`), { body: { is_beta: true } })
  assert.equal(await offered(install), '1.1-beta.1')
})

describe('with a price', () => {
  before(async () => {
    await offerFor(app, 1)
  })

  test('the premium build is for a license that allows updates: not expired, not cancelled', async () => {
    const owner = await createOwner(app)
    const license = await licenseOf(app, 1, { body: { email: owner.email } })
    const install = await createInstallOf(app, owner, { version: '1.0', license_key: license.secret_key })
    const other = await newInstall()
    await release(app, '1.1')
    const path = at(`/installs/${install.id}/updates/latest.json?newer_than=1.0&is_premium=true`)
    const found = await app.call('GET', path)
    assert.deepEqual([found.status, found.json.version, found.json.is_released], [200, '1.1', true])
    assert.match(found.json.url, /[?&]is_premium=true/)
    assert.equal(await servedTo(install), null)
    assert.equal((await fetch(await local(found.json.url))).status, 200)
    assert.equal(await servedTo(install), '1.1')
    assert.equal(await servedTo(other), null)
    const none = await newInstall()
    const without = await app.call('GET', at(`/installs/${none.id}/updates/latest.json?is_premium=true`))
    assert.deepEqual([without.status, without.json.error.code], [400, 'license_error'])
    app.ctx.clock.advance(366 * DAY)
    const expired = await app.call('GET', path)
    assert.deepEqual([expired.status, expired.json.error.code], [400, 'license_expired'])
    const zip = await app.call('GET', at(`/installs/${install.id}/updates/latest.zip?is_premium=true`))
    assert.deepEqual([zip.status, zip.json.error.code], [400, 'license_expired'])
  })

  test('an address works without headers for a day, while its install may have what it leads to', async () => {
    const install = await licensed()
    const id = await release(app, '1.1')
    const url = await local(
      (await app.call('GET', at(`/installs/${install.id}/updates/latest.json`))).json.url,
    )
    assert.equal((await fetch(url)).status, 200)
    assert.equal((await fetch(url.slice(0, -3))).status, 404)
    assert.equal((await fetch(url.replace(`/${id}/`, `/${Number(id) + 1}/`))).status, 404)
    await change(id, { release_mode: 'pending' })
    assert.equal((await fetch(url)).status, 404, 'it was suspended')
    await change(id, { release_mode: 'released' })
    await app.call('DELETE', at(`/licenses/${install.license_id}.json`))
    assert.equal((await fetch(url)).status, 400, 'the license is over')
  })

  test('an address ends after a day, that of the latest version too', async () => {
    await release(app, '1.1')
    const latest = (await app.call('GET', at('/tags/latest.json'))).json
    assert.equal((await fetch(await local(latest.url))).status, 200)
    app.ctx.clock.advance(DAY - 1_000)
    assert.equal((await fetch(await local(latest.url))).status, 200)
    app.ctx.clock.advance(2_000)
    assert.equal((await fetch(await local(latest.url))).status, 404)
  })
})

const local = async (url: string) => url.replace('http://keywright.test', app.address)

test('an install asks with its own keys; the answer has a tag, and is not sent again while it is true', async () => {
  const install = await licensed()
  const id = await release(app, '1.1')
  const first = await byInstall(
    install,
    '/updates/latest.json?newer_than=1.0&readme=true&include_upgrade_notice=true',
  )
  assert.equal(first.status, 200, first.text)
  assert.equal(first.json.id, id)
  assert.equal(first.json.readme.sections.description, '<p>It &lt;b&gt;works&lt;/b&gt;.</p>')
  assert.equal(first.json.upgrade_notice, 'Upgrade now.')
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  const etag = first.headers.get('etag') ?? ''
  const again = await app.call('GET', at(`/installs/${install.id}/updates/latest.json`), {
    headers: { 'if-none-match': etag },
  })
  assert.deepEqual([again.status, again.text], [304, ''])
  app.ctx.clock.advance(1_000)
  await change(id, { is_incremental: true })
  const changed = await app.call('GET', at(`/installs/${install.id}/updates/latest.json`), {
    headers: { 'if-none-match': etag },
  })
  assert.equal(changed.status, 200)
  const later = changed.headers.get('etag') ?? ''
  app.ctx.clock.advance(13 * HOUR)
  const anew = await app.call('GET', at(`/installs/${install.id}/updates/latest.json`), {
    headers: { 'if-none-match': later },
  })
  assert.equal(anew.status, 200, 'its address would end')
  const none = await byInstall(install, '/updates/latest.json?newer_than=1.1')
  assert.deepEqual([none.status, none.json.error.http], [404, 404])
})

test('the signed address of the archive is a query alone', async () => {
  const install = await licensed()
  await release(app, '1.1')
  const path = `/v1/installs/${install.id}/updates/latest.zip`
  const date = toRfc2822(app.ctx.clock.real())
  const call = signedInQuery(keysOf(install) as Signer, { method: 'GET', path }, date)
  const response = await fetch(app.address + call.path)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/zip'])
})

test('the versions that an install may have are listed from the highest, between two versions', async () => {
  const install = await licensed()
  for (const version of ['1.1', '1.10', '1.2']) await release(app, version)
  await release(app, '1.3-beta', { release_mode: 'beta' })
  const list = async (query: string) => {
    const { status, json } = await app.call('GET', at(`/installs/${install.id}/updates.json?${query}`))
    return status === 200 ? json.tags.map(({ version }: { version: string }) => version) : json.error.code
  }
  assert.deepEqual(await list('version=1.0'), ['1.10', '1.2', '1.1'])
  assert.deepEqual(await list('version=1.1'), ['1.10', '1.2'])
  assert.deepEqual(await list('older_than=1.10'), ['1.2', '1.1'])
  assert.deepEqual(await list('version=1.0&count=1&offset=1'), ['1.2'])
  assert.deepEqual(await list('version=1.0&type=all'), ['1.10', '1.3-beta', '1.2', '1.1'])
  assert.equal(await list(''), 'missing_argument')
})

test('a user, and anybody with the public key, is offered what they may have of a product', async () => {
  const install = await newInstall()
  await release(app, '1.1')
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('deployments')
      .set((eb) => ({ free_file: eb.ref('premium_file'), free_size: eb.ref('premium_size') }))
      .where('free_file', 'is', null)
      .execute(),
  )
  const user = await createOwner(app)
  const date = toRfc2822(app.ctx.clock.real())
  const get = async (signer: Signer, path: string, scheme: 'FS' | 'FSP') => {
    const call = signed(signer, { method: 'GET', path }, { scheme, date, signedType: 'application/json' })
    return fetch(app.address + path, { headers: call.headers as Record<string, string> })
  }
  const ofUser = await get(user, `/v1/users/${user.id}/plugins/${product().id}/updates/latest.json`, 'FS')
  assert.equal(((await ofUser.json()) as { version: string }).version, '1.1')
  const open = await get(product(), `/v1/plugins/${product().id}/updates/latest.json?newer_than=1.0`, 'FSP')
  assert.equal(open.status, 200)
  const premium = await get(
    product(),
    `/v1/plugins/${product().id}/updates/latest.json?is_premium=true`,
    'FSP',
  )
  assert.equal(premium.status, 400)
  assert.ok(install.id)
})

test("another product's install is not found, and its versions are not offered", async () => {
  const install = await newInstall()
  const { other } = app.seller
  const path = `/products/${other.id}/installs/${install.id}/updates/latest.json`
  assert.equal((await app.call('GET', path, { token: other.token })).status, 404)
  const { id } = (await upload(app, await pluginZip({ version: '9.0' }))).json
  for (const method of ['PUT', 'DELETE'] as const)
    assert.equal(
      (await app.call(method, `/products/${other.id}/tags/${id}.json`, { token: other.token })).status,
      404,
    )
  assert.equal(
    (await app.call('GET', `/products/${other.id}/tags/${id}.zip`, { token: other.token })).status,
    404,
  )
})
