import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, asUser, type CallAs } from '../../../test/callers.ts'
import { eventsOfLicense, licenseOf } from '../../../test/licenses.ts'
import { createOwner } from '../../../test/installs.ts'
import type { License } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('site_lists')
  clients = clientsOf(app)
})
after(() => app.close())

type Kind = 'allow' | 'deny' | 'local'

/** A user that signs its calls, and a license of its own. */
async function owner(quota: number | null = 9) {
  const keys = await createOwner(app)
  const license = await licenseOf(app, quota, { body: { email: keys.email } })
  return { keys, license, as: asUser(app, keys) }
}

const sitesOf = ({ id }: Pick<License, 'id'>, rest = '') => `/licenses/${id}/sites${rest}.json`
const inProduct = (path: string) => `/products/${app.seller.product.id}${path}`
const at = (license: License, url: string | undefined, more: object = {}) =>
  clients.activate({ license_key: license.secret_key, ...(url !== undefined && { url }), ...more })
const codeAt = async (license: License, url: string | undefined, more: object = {}) => {
  const { status, json } = await at(license, url, more)
  return status === 200 ? 'ok' : `${status} ${json.error.code}`
}
const DENIED = '400 license_error'

/** The answers of activations at these hosts, each of a site of its own. */
async function answers(license: License, hosts: readonly string[]): Promise<string[]> {
  const given: string[] = []
  for (const host of hosts) given.push(await codeAt(license, `https://${host}/`))
  return given
}

test("seller's developer, store and product, and the owner itself keep the lists of a license", async () => {
  const { license, keys, as } = await owner()
  const callers: [string, CallAs, (path: string) => string][] = [
    ['developer', await asDeveloper(app), inProduct],
    ['store', asStore(app), inProduct],
    ['user', as, (path) => path],
    ['user in the product', as, inProduct],
    [
      'product',
      (method, path, body) => app.call(method, path, { ...(body !== undefined && { body }) }),
      inProduct,
    ],
  ]
  for (const [who, call, place] of callers) {
    const body = { kind: 'deny', pattern: `${newUid()}.com` }
    const added = await call('POST', place(sitesOf(license)), body)
    assert.deepEqual([added.status, added.json.kind, added.json.pattern], [201, body.kind, body.pattern], who)
    const listed = await call('GET', place(sitesOf(license)))
    assert.deepEqual([listed.status, listed.json], [200, { sites: [added.json] }], who)
    const removed = await call('DELETE', place(sitesOf(license, `/${added.json.id}`)))
    assert.equal(removed.status, 204, who)
    assert.deepEqual((await call('GET', place(sitesOf(license)))).json, { sites: [] }, who)
  }
  assert.equal(keys.id, Number(license.user_id))
})

test("another user's license, and another product's, has no lists: 404, as one that does not exist", async () => {
  const { license } = await owner()
  const stranger = await owner()
  const { json: entry } = await app.call('POST', clients.path(sitesOf(license)), {
    body: { kind: 'allow', pattern: 'mine.com' },
  })
  const { other } = app.seller
  const fromOther: CallAs = (method, path, body) =>
    app.call(method, `/products/${other.id}${path}`, {
      token: other.token,
      ...(body !== undefined && { body }),
    })
  for (const call of [stranger.as, fromOther]) {
    for (const id of [license.id, '987654321']) {
      const body = { kind: 'deny', pattern: 'x.com' }
      const replies = [
        await call('GET', sitesOf({ id })),
        await call('POST', sitesOf({ id }), body),
        await call('DELETE', sitesOf({ id }, `/${entry.id}`)),
      ]
      for (const { status, json } of replies) assert.deepEqual([status, json.error.code], [404, 'not_found'])
    }
  }
  const strangers = await stranger.as('DELETE', sitesOf(stranger.license, `/${entry.id}`))
  assert.equal(strangers.status, 404, 'an entry is taken off its own license only')
  assert.deepEqual((await app.call('GET', clients.path(sitesOf(license)))).json, { sites: [entry] })
})

test('a pattern names a host and its subdomains, or with stars what fits; case, www, port and path do not count', async () => {
  const cases: [string, readonly string[], readonly string[]][] = [
    [
      'shop.com',
      ['shop.com', 'www.shop.com', 'SHOP.com', 'a.b.shop.com', 'shop.com:8443/x'],
      ['myshop.com', 'shop.com.evil.net', 'shop.org'],
    ],
    ['*.shop.com', ['a.shop.com', 'a.b.shop.com'], ['shop.com', 'myshop.com']],
    [
      'client-*.shop.com',
      ['client-7.shop.com', 'client-.shop.com'],
      ['client.shop.com', 'x.client-7.shop.com'],
    ],
    ['*.a.*.com', ['x.a.y.com'], ['x.b.y.com', 'a.y.com']],
    ['https://WWW.Shop.net:8080/path?x=1', ['shop.net', 'a.shop.net'], ['shop.com']],
    ['münchen.de', ['xn--mnchen-3ya.de', 'münchen.de'], ['munchen.de']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.70', '1.192.0.2']],
  ]
  for (const [pattern, fitting, others] of cases) {
    const { license } = await owner(null)
    await clients.addSite(license, 'deny', pattern)
    assert.deepEqual(
      await answers(license, fitting),
      fitting.map(() => DENIED),
      `${pattern} fits`,
    )
    assert.deepEqual(
      await answers(license, others),
      others.map(() => 'ok'),
      `${pattern} fits not`,
    )
  }
})

test('a denied site is refused also where it is allowed and local, in whatever order they were written', async () => {
  const kinds: readonly Kind[] = ['allow', 'deny', 'local']
  for (const order of [kinds, kinds.toReversed()]) {
    const { license } = await owner()
    for (const kind of order) await clients.addSite(license, kind, 'shop.com')
    assert.deepEqual(await answers(license, ['shop.com', 'a.shop.com']), [DENIED, DENIED])
    assert.deepEqual(await clients.counts(license), [0, 0])
  }
  const { license } = await owner()
  await clients.addSite(license, 'allow', 'shop.com')
  await clients.addSite(license, 'deny', 'bad.shop.com')
  assert.deepEqual(await answers(license, ['shop.com', 'bad.shop.com', 'good.shop.com']), [
    'ok',
    DENIED,
    'ok',
  ])
})

test('with an allow list only what is on it is let in, and nothing that tells no address', async () => {
  const { license } = await owner(null)
  const { license: denying } = await owner(null)
  await clients.addSite(license, 'allow', 'one.com')
  await clients.addSite(license, 'allow', '*.two.com')
  const hosts = ['one.com', 'x.one.com', 'a.two.com', 'two.com', 'three.com', 'localhost', 'dev.three.com']
  const ok = 'ok'
  assert.deepEqual(await answers(license, hosts), [ok, ok, ok, DENIED, DENIED, DENIED, DENIED])
  assert.equal(await codeAt(license, undefined), DENIED)
  await clients.addSite(denying, 'deny', '*')
  assert.deepEqual(await answers(denying, ['one.com', 'localhost']), [DENIED, DENIED])
  assert.equal(await codeAt(denying, undefined), 'ok', 'no host is no denied host')
})

test('a site that is denied later keeps the license, is not activated anew, and can leave', async () => {
  const { license, as } = await owner(1)
  const active = await clients.active(license, { url: 'https://shop.com' })
  await as('POST', sitesOf(license), { kind: 'deny', pattern: 'shop.com' })
  assert.equal((await clients.verify(active)).status, 200)
  assert.equal(await codeAt(license, 'https://shop.com', { uid: active.uid }), DENIED)
  assert.deepEqual(await clients.counts(license), [1, 0])
  assert.equal((await clients.deactivate(active)).status, 200)
  assert.equal(await codeAt(license, 'https://shop.com', { uid: active.uid }), DENIED)
  assert.deepEqual(await clients.counts(license), [0, 0])
})

test('a site does not move onto a denied address', async () => {
  const { license } = await owner(1)
  const { installId, token, uid } = await clients.active(license, { url: 'https://shop.com' })
  await clients.addSite(license, 'deny', 'bad.com')
  assert.equal(await codeAt(license, 'https://bad.com', { uid }), DENIED)
  const put = app.call('PUT', `/installs/${installId}.json`, { token, body: { url: 'https://a.bad.com' } })
  assert.equal(await clients.refusal(put), DENIED)
  assert.equal((await clients.installRow(installId)).url, 'https://shop.com')
})

test('a local list adds to the built-in one, and counts what it names as local from then on', async () => {
  const { license } = await owner(1)
  const early = await clients.active(license, { url: 'https://shop.agency.com' })
  await clients.addSite(license, 'local', '*.agency.com')
  assert.deepEqual(await clients.counts(license), [1, 0], 'what is active stays as it is')
  assert.deepEqual(await answers(license, ['two.agency.com', 'localhost', 'x.test', 'agency.com']), [
    'ok',
    'ok',
    'ok',
    '400 license_utilized',
  ])
  assert.deepEqual(await clients.counts(license), [1, 3])
  await clients.deactivate(early)
  assert.equal(await codeAt(license, 'https://shop.agency.com', { uid: early.uid }), 'ok')
  assert.deepEqual(await clients.counts(license), [0, 4])
})

test('an owner calls no site local that does not say so itself; a seller calls any', async () => {
  const { license, as } = await owner(1)
  const add = (call: CallAs, pattern: string, place = (path: string) => path) =>
    call('POST', place(sitesOf(license)), { kind: 'local', pattern })
  const refused = await add(as, 'shop.com')
  assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'pattern'])
  assert.equal((await add(as, 'dev-*.shop.com')).status, 201)
  assert.equal((await add(await asDeveloper(app), 'shop.com', inProduct)).status, 201)
})

test('one that is on a list is not added again; two hundred fill the lists, and one that goes makes room', async () => {
  const { license, as } = await owner()
  const add = (kind: Kind, pattern: string) => as('POST', sitesOf(license), { kind, pattern })
  const same = await Promise.all(
    ['Shop.com', 'https://www.shop.com/', 'shop.com'].map((one) => add('deny', one)),
  )
  assert.equal(new Set(same.map(({ json }) => json.id)).size, 1)
  const { json: first } = await add('allow', 'shop.com')
  const kinds: readonly Kind[] = ['allow', 'deny']
  for (let n = 2; n < 200; n++) assert.equal((await add(kinds[n % 2] ?? 'deny', `s${n}.com`)).status, 201)
  const full = await add('deny', 'one-more.com')
  assert.deepEqual([full.status, full.json.error.code], [400, 'license_sites_full'])
  assert.equal((await add('deny', 'shop.com')).status, 201, 'what is there is answered')
  assert.equal((await as('DELETE', sitesOf(license, `/${first.id}`))).status, 204)
  assert.equal((await add('deny', 'one-more.com')).status, 201)
})

test('each change is told once, by the event of its list', async () => {
  const { license, as } = await owner()
  const told: [Kind, string, string][] = [
    ['allow', 'license.site.whitelisted', 'license.whitelisted_site.deleted'],
    ['deny', 'license.site.blacklisted', 'license.blacklisted_site.deleted'],
    ['local', 'license.updated', 'license.updated'],
  ]
  const expected: object[] = []
  const userId = Number(license.user_id)
  for (const [kind, added, removed] of told) {
    const pattern = `${kind}.dev.com`
    const { json } = await as('POST', sitesOf(license), { kind, pattern })
    await as('POST', sitesOf(license), { kind, pattern })
    await as('DELETE', sitesOf(license, `/${json.id}`))
    const data = { license_id: license.id, site: pattern }
    expected.push({ type: added, data, user_id: userId }, { type: removed, data, user_id: userId })
  }
  const [, ...events] = await eventsOfLicense(app, license.id)
  assert.deepEqual(events, expected)
})
