// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf, newUid, type Clients } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asInstall, asUser, type CallAs } from '../../../test/callers.ts'
import { createInstallOf, createOwner, keysOf } from '../../../test/installs.ts'
import { licenseOf, offerFor, userOf } from '../../../test/licenses.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import { issueApiToken } from '../../accounts/tokens/api-tokens.ts'

const OF_INSTALL = 10
const OF_PAIR = 25
const rate = {
  ...GENEROUS,
  installs: { perSecond: 0.5, burst: OF_INSTALL },
  pairs: { perSecond: 1, burst: OF_PAIR },
}

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('write_rates', { config: { rate } })
  clients = clientsOf(app)
  const body = { setting_type: 1, data: JSON.stringify({ confirms_opt_in: false }) }
  const set = await app.call('PUT', clients.path('/settings.json'), { body })
  assert.equal(set.status, 200, set.text)
})
after(() => app.close())
beforeEach(() => app.ctx.clock.advance(DAY))

const all = (count: number, work: (n: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const pair = (given: Readonly<Record<string, string>>, whose: 'user' | 'install') =>
  keysOf({
    id: given[`${whose}_id`] ?? '',
    public_key: given[`${whose}_public_key`] ?? '',
    secret_key: given[`${whose}_secret_key`] ?? '',
  })

/** Somebody who opts in and proves nothing. */
async function optedIn(): Promise<{ user: CallAs; install: CallAs; id: string }> {
  const { json } = await optInByServer(app, optInForm(app, `${newUid()}@example.com`, { site_uid: newUid() }))
  const [user, install] = [asUser(app, pair(json, 'user')), asInstall(app, pair(json, 'install'))]
  return { user, install, id: json.install_id }
}

const extensions = (count: number) => Array.from({ length: count }, () => ({ slug: newUid(), title: 'x' }))

test('of what an install writes so many calls at once are let through as are set, each kind and all together', async () => {
  const ways: Readonly<Record<string, (call: CallAs, n: number) => Promise<Reply>>> = {
    events: (call) => call('POST', '/events.json', { type: 'clicked' }),
    clones: (call, n) => call('POST', '/clones.json', { site_url: `https://copy${n}.example` }),
    changes: (call, n) => call('PUT', '.json', { title: `Site ${n}`, version: `1.${n}` }),
  }
  for (const [what, way] of Object.entries(ways)) {
    const { install } = await optedIn()
    assert.equal(letThrough(await all(30, (n) => way(install, n))), OF_INSTALL, what)
    assert.equal((await install('GET', '.json')).status, 200, 'what only reads goes on')
    app.ctx.clock.advance(4_000)
    assert.equal(letThrough(await all(5, (n) => way(install, 100 + n))), 2, what)
  }
  const mixed = await optedIn()
  const replies = await all(30, (n) => (Object.values(ways)[n % 3] ?? assert.fail())(mixed.install, n))
  assert.equal(letThrough(replies), OF_INSTALL)
  assert.equal(
    letThrough(await all(OF_INSTALL, (n) => ways['events']?.(neighbour.install, n) ?? assert.fail())),
    OF_INSTALL,
  )
})

let neighbour: Awaited<ReturnType<typeof optedIn>>
before(async () => {
  neighbour = await optedIn()
})

test('plugins and themes count as well, fifty as a call, and an install has a thousand of each kept', async () => {
  const { install, id } = await optedIn()
  const told = await all(6, () => install('PUT', '.json', { plugins: extensions(150) }))
  assert.equal(letThrough(told), Math.floor(OF_INSTALL / 4))
  app.ctx.clock.advance(DAY)
  const one = () =>
    app.call('PUT', clients.path(`/installs/${id}.json`), { body: { plugins: extensions(600) } })
  const replies = await all(3, one)
  assert.equal(letThrough(replies), 3, 'the seller is not limited')
  const rows = await app.ctx.db
    .selectFrom('market_items')
    .select('id')
    .where('install_id', '=', Number(id))
    .execute()
  assert.equal(rows.length, 1_000)
})

/** An install and its pair have different numbers from then on. */
const noPair = async () => createInstallOf(app, await createOwner(app))

test('what a site writes whose keys the seller has made counts as well', async () => {
  const { json } = await app.call('GET', clients.path(`/installs/${(await noPair()).id}.json`))
  const install = asInstall(app, keysOf(json))
  assert.equal(
    letThrough(await all(30, () => install('POST', '/events.json', { type: 'clicked' }))),
    OF_INSTALL,
  )
})

test('one call counts as five hundred sites at most', async () => {
  const { user, id } = await optedIn()
  const products = `/products/${app.seller.product.id}/installs.json`
  const each = Array.from({ length: 60 }, () => ({ id }))
  const many = { installs: [{ plugins: extensions(500) }, ...each] }
  assert.equal(letThrough([await user('PUT', products, many)]), 1)
  app.ctx.clock.advance((500 - OF_PAIR) * SECOND)
  assert.equal(letThrough([await user('PUT', products, { installs: [{ id }] })]), 0)
  app.ctx.clock.advance(SECOND)
  assert.equal(letThrough([await user('PUT', products, { installs: [{ id }] })]), 1)
})

test('a pair of own reach and the installs made with it have a limit together; each site that is named counts', async () => {
  await noPair()
  const { user, install } = await optedIn()
  const sites = (count: number) => ({
    sites: Array.from({ length: count }, () => ({ uid: newUid(), url: 'http://localhost/site' })),
  })
  const products = `/products/${app.seller.product.id}/installs.json`
  assert.equal(letThrough(await all(4, () => user('POST', products, sites(10)))), 2)
  const left = OF_PAIR - 20
  assert.equal(letThrough(await all(8, () => install('POST', '/events.json', { type: 'clicked' }))), left)
  assert.equal(letThrough(await all(8, () => user('POST', products, { uid: newUid() }))), 0)
  app.ctx.clock.advance(DAY)
  assert.equal(letThrough(await all(40, () => user('POST', products, { uid: newUid() }))), OF_PAIR)
  app.ctx.clock.advance(DAY)
  const off = { permissions: 'site', is_enabled: false }
  const permissions = `/products/${app.seller.product.id}/installs/permissions.json`
  assert.equal(letThrough(await all(3, () => user('PUT', permissions, off))), 1, 'each install counts')
})

test('a license is put on so many sites at work by its key; others are activated as before', async () => {
  const license = await clients.ownLicense(null)
  const activate = (url: string) => clients.activate({ license_key: license.secret_key, uid: newUid(), url })
  assert.equal(letThrough(await all(30, (n) => activate(`http://localhost/${n}`))), OF_PAIR)
  assert.equal(letThrough(await all(30, (n) => activate(`https://site${n}.example.org`))), 30)
  const other = await clients.ownLicense(null)
  const form = { license_key: other.secret_key, site_url: 'http://localhost/', return_url: '' }
  const optIns = await all(30, async () => {
    const reply = await optInByServer(app, optInForm(app, '', { ...form, site_uid: newUid() }))
    return reply as unknown as Reply
  })
  assert.equal(letThrough(optIns), OF_PAIR)
})

test('a site at work on which a license runs already costs nothing more, by any way', async () => {
  const license = await clients.ownLicense(null)
  const { secret_key: license_key } = license
  const site = (n: number) => ({ license_key, uid: `${n}`.padEnd(32, 'x'), url: `http://localhost/${n}` })
  const optIn = async (n: number) => {
    const { uid: site_uid, url: site_url } = site(n)
    const form = optInForm(app, '', { license_key, site_uid, site_url, return_url: '' })
    return (await optInByServer(app, form)) as unknown as Reply
  }
  const known = OF_PAIR - 5
  assert.equal(letThrough(await all(known, (n) => clients.activate(site(n)))), known)
  assert.equal(letThrough(await all(3 * known, (n) => clients.activate(site(n % known)))), 3 * known)
  assert.equal(letThrough(await all(known, optIn)), known)
  assert.equal(letThrough(await all(30, (n) => clients.activate(site(known + n)))), 5)
  assert.equal((await clients.activate(site(0))).status, 200, 'a known one goes on')
  assert.equal((await optIn(0)).status, 200)
  assert.equal((await optIn(1_000)).status, 429)
})

test('calls by which a key opens nothing use up nothing of its license', async () => {
  const { secret_key: license_key } = await clients.ownLicense(null)
  const body = { license_key, url: 'http://localhost/' }
  const path = `/products/${app.seller.other.id}/licenses/activate.json`
  const elsewhere = await all(2 * OF_PAIR, () =>
    app.call('POST', path, { token: null, body: { ...body, uid: newUid() } }),
  )
  assert.ok(elsewhere.every(({ status }) => status === 404))
  assert.equal(letThrough(await all(30, () => clients.activate(body))), OF_PAIR)
})

test("the same by a bundle's key, which opens another license in each of its products", async () => {
  const seller = await asDeveloper(app)
  const { json } = await seller('POST', '/plugins.json', { title: 'All', slug: 'all', is_bundle: true })
  const id = Number(json.id)
  const members = `${app.seller.product.id},${app.seller.other.id}`
  await seller('PUT', `/products/${id}/bundle/members.json`, { members })
  const { token } = await app.write((tx) => issueApiToken(tx, { productId: id, name: 'it', expiresAt: null }))
  const email = `${newUid()}@example.com`
  for (const product of [app.seller.product, app.seller.other]) await offerFor(app, null, { product })
  await userOf(app, email, { id, token })
  const { secret_key } = await licenseOf(app, null, { product: { id, token }, body: { email } })
  const site = (n: number) => ({ license_key: secret_key, uid: newUid(), url: `http://localhost/${n}` })
  const known = site(0)
  assert.equal((await clients.activate(known)).status, 200)
  assert.equal(letThrough(await all(2 * OF_PAIR, () => clients.activate(known))), 2 * OF_PAIR)
  assert.equal(letThrough(await all(30, (n) => clients.activate(site(n)))), OF_PAIR - 1)
})
