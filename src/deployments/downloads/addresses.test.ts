// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner, expectOk, keysOf } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { signed, type Signer } from '../../../test/security/signing.ts'
import { toRfc2822 } from '../../lib/time.ts'
import type { Install } from '../../licensing/installs/schema.ts'

let app: TestApp
/** Of version 1.0, with a license. */
let install: Install
before(async () => {
  app = await startTestApp('addresses')
  const owner = await createOwner(app)
  const license = await licenseOn(app, await offerFor(app, 5), { body: { email: owner.email } })
  install = await createInstallOf(app, owner, { version: '1.0', license_key: license.secret_key })
})
after(() => app.close())

beforeEach(() =>
  app.ctx.database.transaction(async (db) => {
    await db.deleteFrom('deployment_users').execute()
    await db.deleteFrom('deployments').execute()
  }),
)

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`
const statusOf = async (url: string) =>
  (await fetch(url.replace('http://keywright.test', app.address))).status

/** The answer to the install, signed as clients sign. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
async function byInstall(rest: string): Promise<any> {
  const path = `/v1/installs/${install.id}${rest}`
  const signing = { date: toRfc2822(app.ctx.clock.real()), signedType: null }
  const { headers } = signed(keysOf(install) as Signer, { method: 'GET', path }, signing)
  const response = await fetch(app.address + path, { headers: headers as Record<string, string> })
  return response.json()
}

test('what comes after an incremental version is neither listed for an install nor downloaded by it', async () => {
  await release(app, '2.0')
  const before = await byInstall('/updates/latest.json')
  await release(app, '1.1')
  await release(app, '1.2', { release_mode: 'released', is_incremental: true })
  const versionsIn = ({ tags }: { tags: { version: string }[] }) => tags.map(({ version }) => version)
  assert.deepEqual(versionsIn(await byInstall('/updates.json?version=1.0')), ['1.2', '1.1'])
  assert.deepEqual(versionsIn(await byInstall('/updates.json?older_than=9.0')), ['1.2', '1.1'])
  assert.deepEqual(versionsIn(await byInstall('/updates.json?version=1.2')), ['2.0'])
  assert.equal(await statusOf(before.url), 404, 'from 1.0 the way leads through 1.2')
  const after = await byInstall('/updates/latest.json?newer_than=1.2')
  assert.deepEqual([after.version, await statusOf(after.url)], ['2.0', 200])
  const bySeller = (await app.call('GET', at(`/installs/${install.id}/updates.json?version=1.0`))).json
  assert.deepEqual(versionsIn(bySeller), ['2.0', '1.2', '1.1'])
  assert.equal(await statusOf(bySeller.tags[0].url), 200)
})

test('an address that a seller is given leads to a version of the type that was asked for', async () => {
  await release(app, '1.2-beta', { release_mode: 'beta' })
  const pending = await release(app, '1.3', { release_mode: 'pending' })
  for (const type of ['pending', 'beta', 'all']) {
    const { json } = await app.call('GET', at(`/installs/${install.id}/updates/latest.json?type=${type}`))
    assert.equal(await statusOf(json.url), 200, type)
    const { tags } = (
      await app.call('GET', at(`/installs/${install.id}/updates.json?version=1.0&type=${type}`))
    ).json
    for (const { url } of tags) assert.equal(await statusOf(url), 200, type)
  }
  const path = at(`/installs/${install.id}/updates/latest.json?type=pending`)
  const { url } = (await app.call('GET', path)).json
  expectOk(await app.call('PUT', at(`/tags/${pending}.json`), { body: { release_mode: 'beta' } }))
  assert.equal(await statusOf(url), 404, 'it is of another type now')
})

test('an address leads to the version and the build that it was made for, and to no other', async () => {
  const [older, newer] = [await release(app, '1.1'), await release(app, '1.2')]
  const etagOf = async (url: string) =>
    (await fetch(url.replace('http://keywright.test', app.address))).headers.get('etag')
  const premium = await byInstall('/updates/latest.json?is_premium=true')
  const free = await byInstall('/updates/latest.json?is_premium=false')
  assert.deepEqual([premium.id, free.id], [newer, newer])
  const archives = await Promise.all(
    ['?is_premium=true', ''].map(async (build) =>
      (await app.call('GET', at(`/tags/${newer}.zip${build}`))).headers.get('etag'),
    ),
  )
  assert.notEqual(archives[0], archives[1])
  assert.deepEqual([await etagOf(premium.url), await etagOf(free.url)], archives)
  for (const { url } of [premium, free]) {
    assert.equal(await statusOf(url.replace(`/downloads/${newer}/`, `/downloads/${older}/`)), 404)
    assert.equal(await statusOf(`${url}x`), 404)
  }
})

test('an address of a version that is then for few leads there as soon as who has it is offered the version', async () => {
  const tag = await release(app, '1.1')
  const { url } = await byInstall('/updates/latest.json')
  assert.equal(await statusOf(url), 200)
  expectOk(await app.call('PUT', at(`/tags/${tag}.json`), { body: { limit: 1 } }))
  assert.equal(await statusOf(url), 404)
  assert.equal((await byInstall('/updates/latest.json')).id, tag)
  assert.equal(await statusOf(url), 200)
})
