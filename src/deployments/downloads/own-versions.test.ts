import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pluginZip, release, upload } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { licenseOf, userOf } from '../../../test/licenses.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import type { License } from '../../licensing/licenses/schema.ts'
import type { OwnVersion } from '../versions/own-version-schema.ts'

let app: TestApp
let license: License
let browser: Awaited<ReturnType<typeof inPortal>>
before(async () => {
  app = await startTestApp('own_versions')
  await userOf(app, 'ada@example.com')
  license = await licenseOf(app, 5, { body: { email: 'ada@example.com' } })
  browser = await inPortal(app, { id: Number(license.user_id) })
})
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`
const listed = async (query = '', by = browser): Promise<OwnVersion[]> =>
  expectOk(await by.call('GET', own(`/tags.json${query}`))).json.tags
const versions = async (query?: string, by = browser) =>
  (await listed(query, by)).map(({ version }) => version)

/** As the browser follows the link on the page: with the cookie alone. */
const followed = ({ cookie }: typeof browser, userId: string, rest: string) =>
  fetch(`${app.address}/v1/users/${userId}${own(rest)}`, { headers: { cookie } })

const README = `=== Example ===
== Changelog ==
= 1.2.0 - 2026-03-01 =
* Sends <b>mail</b> & more
* Faster

= 1.1.0 =
First.
`

const change = (id: string, body: object) =>
  app.call('PUT', `/products/${app.seller.product.id}/tags/${id}.json`, { body })

test('a buyer lists current and earlier versions, each with what changed in it, and downloads them by the cookie alone', async () => {
  await release(app, '1.0.0')
  const { json } = expectOk(
    await upload(
      app,
      await pluginZip({ version: '1.2.0', files: { 'example/readme.txt': README }, readme: false }),
    ),
  )
  await change(json.id, { release_mode: 'released' })
  await release(app, '2.0.0', { release_mode: 'pending' })
  await release(app, '2.1.0', { release_mode: 'beta' })
  const tags = await listed()
  assert.deepEqual(
    tags.map(({ version, is_premium, changes }) => ({ version, is_premium, changes })),
    [
      { version: '1.2.0', is_premium: true, changes: '• Sends <b>mail</b> & more\n• Faster' },
      { version: '1.0.0', is_premium: true, changes: null },
    ],
  )
  for (const { id, size } of tags) {
    const reply = await followed(browser, String(license.user_id), `/tags/${id}.zip?license_id=${license.id}`)
    assert.deepEqual([reply.status, (await reply.arrayBuffer()).byteLength], [200, size])
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; /)
  }
  const page = await versions('?count=1&offset=1')
  assert.deepEqual(page, ['1.0.0'])
})

test('with earlier versions off in the portal the highest alone is listed and downloaded there', async () => {
  const [newest, earlier] = await listed()
  const off = (parts: readonly string[]) =>
    app.call('PUT', own('/settings.json'), {
      body: { setting_type: 8, data: JSON.stringify({ portal_off: parts }) },
    })
  expectOk(await off(['earlier_versions']))
  assert.deepEqual(await versions(), ['1.2.0'])
  assert.deepEqual(await versions('?offset=1'), [])
  const download = (one?: OwnVersion) => followed(browser, String(license.user_id), `/tags/${one?.id}.zip`)
  assert.deepEqual([(await download(newest)).status, (await download(earlier)).status], [200, 404])
  expectOk(await off([]))
  assert.equal((await download(earlier)).status, 200)
})

test('what is pending, beta or withdrawn is listed and downloaded by nobody who does not take part', async () => {
  const userId = String(license.user_id)
  const [beta] = (await app.call('GET', `/products/${app.seller.product.id}/tags.json`)).json.tags
  assert.equal((await followed(browser, userId, `/tags/${beta.id}.zip`)).status, 404)
  await app.call('PUT', `/products/${app.seller.product.id}/users/${userId}.json`, {
    body: { is_beta: true },
  })
  assert.deepEqual(await versions(), ['2.1.0', '1.2.0', '1.0.0'])
  assert.equal((await followed(browser, userId, `/tags/${beta.id}.zip`)).status, 200)
  await change(beta.id, { release_mode: 'pending' })
  assert.equal((await followed(browser, userId, `/tags/${beta.id}.zip`)).status, 404, 'withdrawn since')
})

test('the premium build is for a license that is neither over nor cancelled, whatever another license opens', async () => {
  const ended = await licenseOf(app, 1, { body: { email: 'ada@example.com' } })
  const path = `/products/${app.seller.product.id}/licenses/${ended.id}.json`
  expectOk(await app.call('PUT', path, { body: { expiration: '2025-01-01 00:00:00' } }))
  const builds = async (query: string) => (await listed(query)).map(({ is_premium: isPremium }) => isPremium)
  assert.deepEqual(await builds(`?license_id=${ended.id}`), [false, false])
  assert.deepEqual(await builds(`?license_id=${license.id}`), [true, true])
  const [first] = await listed()
  const userId = String(license.user_id)
  const archive = async (id: string) =>
    (await followed(browser, userId, `/tags/${first?.id}.zip?license_id=${id}`)).headers.get('etag')
  assert.notEqual(await archive(ended.id), await archive(license.id), 'the free build is another file')
})

test('a version for so many users is listed while there is room, and only a download takes the place', async () => {
  const id = await release(app, '3.0.0', { release_mode: 'released', limit: 1 })
  await userOf(app, 'bea@example.com')
  const other = await licenseOf(app, 1, { body: { email: 'bea@example.com' } })
  const bea = await inPortal(app, { id: Number(other.user_id) })
  for (const by of [browser, bea, browser]) assert.equal((await versions('', by))[0], '3.0.0')
  assert.equal((await followed(bea, String(other.user_id), `/tags/${id}.zip`)).status, 200)
  assert.equal((await versions())[0], '1.2.0')
  assert.equal((await followed(browser, String(license.user_id), `/tags/${id}.zip`)).status, 404)
  assert.equal((await versions('', bea))[0], '3.0.0', 'who has the place keeps it')
})

test("another buyer's license, and that of another product, open nothing", async () => {
  const strange = await userOf(app, 'carl@example.com')
  const carl = await inPortal(app, { id: strange })
  const theirs = `?license_id=${license.id}`
  assert.equal((await carl.call('GET', own(`/tags.json${theirs}`))).status, 404)
  const [first] = await listed()
  assert.equal((await followed(carl, strange, `/tags/${first?.id}.zip${theirs}`)).status, 404)
  assert.equal((await followed(carl, String(license.user_id), `/tags/${first?.id}.zip`)).status, 401)
  const other = `/users/${license.user_id}/products/${app.seller.other.id}/tags.json`
  const { status } = await app.call('GET', other, { token: null, headers: { cookie: browser.cookie } })
  assert.equal(status, 401)
})
