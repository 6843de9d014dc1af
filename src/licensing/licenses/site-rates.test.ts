// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf, newUid } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asUser, type CallAs } from '../../../test/callers.ts'
import { holding } from '../../../test/installs.ts'
import { optInByServer, optInForm } from '../../../test/opt-in.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { licenseOf, offerFor, userOf } from '../../../test/licenses.ts'
import { readConfig } from '../../config.ts'
import { Limits } from '../../http/limits.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { License } from './schema.ts'

const BURST = 5
/** So many an unlimited license has, and a user. */
const UNLIMITED = 10 * BURST

let app: TestApp
let clients: ReturnType<typeof clientsOf>
before(async () => {
  const licenses = { perSecond: 1 / 60, burst: BURST }
  app = await startTestApp('site_rates', { config: { rate: { ...GENEROUS, licenses } } })
  clients = clientsOf(app)
})
beforeEach(() => app.ctx.clock.advance(DAY))
after(() => app.close())

const newKey = async (quota: number | null): Promise<string> => (await clients.ownLicense(quota)).secret_key

let sites = 0
const newUrl = () => `https://site${++sites}.example.com`

const TWINS = ['/licenses/activate.json', '/activate.json'] as const
const put = (license_key: string, uid = newUid(), path: string = TWINS[0]): Promise<Reply> =>
  app.call('POST', clients.path(path), { token: null, body: { license_key, uid, url: newUrl() } })

/** Takes a license off the site that it was put on. */
async function taken(reply: Reply, license_key: string, uid: string): Promise<Reply> {
  if (reply.status !== 200) return reply
  const body = { uid, license_key, install_id: reply.json.install_id }
  const off = await app.call('POST', clients.path('/licenses/deactivate.json'), { token: null, body })
  assert.equal(off.status, 200, off.text)
  return reply
}

const putAndTake = async (key: string, uid = newUid(), path?: string): Promise<Reply> =>
  taken(await put(key, uid, path), key, uid)

async function many(count: number, work: (n: number) => Promise<Reply>): Promise<number> {
  const replies: Reply[] = []
  for (let n = 0; n < count; n++) replies.push(await work(n))
  return letThrough(replies)
}

const all = (count: number, work: (n: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const installs = async (): Promise<number> => {
  const { count } = await app.ctx.db
    .selectFrom('installs')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('a key that is put on site after site and taken off again is let through so often in a time, by each path', async () => {
  const [key, other] = [await newKey(1), await newKey(1)]
  const before = await installs()
  assert.equal(await many(BURST + 3, (n) => putAndTake(key, newUid(), TWINS[n % 2])), BURST)
  assert.equal(await installs(), before + BURST, 'what is refused writes nothing')
  const uid = newUid()
  assert.equal((await putAndTake(other, uid)).status, 200, 'another license is its own')
  app.ctx.clock.advance(MINUTE)
  assert.equal(await many(3, () => putAndTake(key)), 1)
  assert.equal(await many(BURST + 3, () => putAndTake(other, uid)), BURST, 'the same site counts each time')
})

test('of many at once exactly so many are let through, and each of them has its site', async () => {
  const license = await clients.ownLicense(null)
  const replies = await all(UNLIMITED + 10, () => put(license.secret_key))
  assert.equal(letThrough(replies), UNLIMITED)
  assert.deepEqual(await clients.counts(license), [UNLIMITED, 0])
  const policies = replies.map(({ headers }) => headers.get('ratelimit-policy')).filter((one) => one !== null)
  assert.deepEqual([...new Set(policies)], [`"default";q=${UNLIMITED};w=300`])
})

test('a license fills its quota twice at once, and where it runs it is activated as often as anybody likes', async () => {
  const quota = 2 * BURST
  const key = await newKey(quota)
  const uids = Array.from({ length: quota }, () => newUid())
  assert.equal(await many(quota, (n) => putAndTake(key, uids[n])), quota)
  assert.equal(await many(quota, (n) => put(key, uids[n])), quota)
  for (let n = 0; n < 3; n++) assert.equal(await many(quota, (at) => put(key, uids[at])), quota)
  const utilized = await put(key)
  assert.equal(`${utilized.status} ${utilized.json.error.code}`, '400 license_utilized')
  const { json } = await put(key, uids[0])
  await taken({ ...utilized, status: 200, json }, key, uids[0] ?? '')
  assert.equal((await put(key)).status, 429)
  app.ctx.clock.advance(MINUTE / 4)
  assert.equal((await put(key)).status, 200, 'four in a minute come back')
})

test('what is refused as the license is full takes nothing from its owner, who moves it', async () => {
  const key = await newKey(1)
  const uid = newUid()
  const on = await put(key, uid)
  const refused = await all(3 * BURST, () => put(key))
  const codes = new Set(refused.map(({ status }) => status))
  assert.deepEqual([...codes].toSorted(), [400, 429], 'it has a count of its own')
  await taken(on, key, uid)
  assert.equal(await many(BURST + 3, () => putAndTake(key)), BURST - 1)
})

test("a bundle's license is put on as many sites of each of its products as one of the product", async () => {
  const { developer, store, product, other } = app.seller
  const scope = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addonId = await app.write((tx) => createAddon(tx, scope, 'Bundled'))
  const members = [product.id, addonId]
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', other.id).execute()
    for (const id of members)
      await db.insertInto('bundle_members').values({ bundle_id: other.id, product_id: id }).execute()
  })
  for (const id of members) await offerFor(app, 1, { product: { id } })
  const email = `${newUid()}@example.com`
  await userOf(app, email, other)
  const { secret_key: license_key } = await licenseOf(app, 1, { product: other, body: { email } })
  const call = (id: number, does: string, body: object) =>
    app.call('POST', `/products/${id}/licenses/${does}.json`, { token: null, body })
  for (const id of members) {
    const moved = await many(BURST + 2, async () => {
      const site = { license_key, uid: newUid() }
      const reply = await call(id, 'activate', { ...site, url: newUrl() })
      if (reply.status !== 200) return reply
      return call(id, 'deactivate', { ...site, install_id: reply.json.install_id })
    })
    assert.equal(moved, BURST, `product ${id}`)
  }
  const uid = newUid()
  app.ctx.clock.advance(DAY)
  assert.equal((await call(addonId, 'activate', { license_key, uid, url: newUrl() })).status, 200)
  const elsewhere = () => call(addonId, 'activate', { license_key, uid: newUid(), url: newUrl() })
  const refused = new Set((await all(3 * BURST, elsewhere)).map(({ status }) => status))
  assert.deepEqual([...refused].toSorted(), [400, 429], 'what it opened there is full')
  const { json } = await call(addonId, 'activate', { license_key, uid })
  await call(addonId, 'deactivate', { license_key, uid, install_id: json.install_id })
  assert.equal((await elsewhere()).status, 200)
})

/** Somebody to whom a license key was shown, as the pair of its owner's keys that came by it. */
async function holder(license: License): Promise<CallAs> {
  const { json } = await clients.active(license)
  return holding(app, json as Readonly<Record<string, string>>).user
}

const ownInstalls = () => `/products/${app.seller.product.id}/installs.json`

test('an opt-in with a key, and installs that a user makes with one, count against its license', async () => {
  const one = await clients.ownLicense(null)
  const optIns = await all(UNLIMITED + 5, async () => {
    const form = { license_key: one.secret_key, site_uid: newUid(), return_url: '' }
    return (await optInByServer(app, optInForm(app, '', form))) as unknown as Reply
  })
  assert.equal(letThrough(optIns), UNLIMITED)
  assert.equal((await put(one.secret_key)).status, 429, 'by whatever way')

  const quota = BURST - 1
  const small = await clients.ownLicense(quota)
  const user = await holder(small)
  const given = [{ license_key: small.secret_key }, { license_id: small.id }]
  const putByUser = async (n: number) => {
    const uid = newUid()
    const made = await user('POST', ownInstalls(), { uid, url: newUrl(), ...given[n % 2] })
    const install_id = made.json.id
    return taken({ ...made, json: { ...made.json, install_id } }, small.secret_key, uid)
  }
  assert.equal(await many(3 * quota, putByUser), 2 * quota - 1)
})

test('installs that are made with keys of a user count against the user; known ones do not', async () => {
  const license = await clients.ownLicense(1)
  const user = await holder(license)
  const neighbour = await holder(await clients.ownLicense(1))
  const known = newUid()
  assert.equal((await user('POST', ownInstalls(), { uid: known })).status, 200)
  assert.equal(
    letThrough(await all(UNLIMITED + 5, () => user('POST', ownInstalls(), { uid: newUid() }))),
    UNLIMITED - 1,
  )
  assert.equal(letThrough(await all(10, () => user('POST', ownInstalls(), { uid: known }))), 10)
  assert.equal(letThrough([await neighbour('POST', ownInstalls(), { uid: newUid() })]), 1)
  app.ctx.clock.advance(MINUTE)
  const network = { sites: Array.from({ length: 8 }, () => ({ uid: newUid(), url: newUrl() })) }
  assert.equal(await many(3, () => user('POST', ownInstalls(), network)), 3, 'they are known then')
  network.sites.push(...Array.from({ length: 3 }, () => ({ uid: newUid(), url: newUrl() })))
  assert.equal((await user('POST', ownInstalls(), network)).status, 429)
  const { json } = await app.call('GET', clients.path(`/users/${license.user_id}.json`))
  const person = asUser(app, { id: Number(json.id), publicKey: json.public_key, secretKey: json.secret_key })
  assert.equal(
    letThrough([await person('POST', ownInstalls(), { uid: newUid() })]),
    1,
    'the person is another one',
  )
})

test('installs of an add-on, which an install makes under uids as it likes, count against the user of its own', async () => {
  const { developer, store, product } = app.seller
  const scope = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addonId = await app.write((tx) => createAddon(tx, scope, 'Extension'))
  const { json } = await clients.active(await clients.ownLicense(1))
  const { user, install } = holding(app, json as Readonly<Record<string, string>>)
  const path = `/addons/${addonId}/installs.json`
  assert.equal(letThrough([await install('POST', path, {})]), 1)
  assert.equal(
    letThrough(await all(UNLIMITED + 5, () => install('POST', path, { uid: newUid() }))),
    UNLIMITED - 1,
  )
  assert.equal(letThrough(await all(3, () => install('POST', path, {}))), 3, 'the one of its site is known')
  const byUser = `/products/${product.id}/installs/${json['install_id']}${path}`
  assert.equal((await user('POST', byUser, { uid: newUid() })).status, 429)
})

test('as it comes, who has ten thousand sites puts a license on them at once, and so does who moves all of a thousand', () => {
  const limits = new Limits(readConfig({ PORT: '0' }).rate)
  const times = (count: number, quota: number | null, id: number) => {
    for (let n = 0; n < count; n++) limits.sitesOfLicense({ id, quota, productId: 1 }, 0, 1)
  }
  times(10_000, null, 1)
  times(2_000, 1_000, 2)
  times(1_000, 5, 3)
  for (const [id, quota] of [null, 1_000, 5].entries()) assert.throws(() => times(1, quota, id + 1))
  limits.sitesOfLicense({ id: 4, quota: 500, productId: 1 }, 0, 1)
  limits.sitesOfLicense({ id: 4, quota: 500, productId: 1 }, 0, 500)
})
