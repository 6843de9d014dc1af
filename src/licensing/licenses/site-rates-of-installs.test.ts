// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { clientsOf, newUid, type Active } from '../../../test/activations.ts'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import type { CallAs } from '../../../test/callers.ts'
import { createAddon } from '../../../test/catalogue.ts'
import { holding } from '../../../test/installs.ts'
import { licenseOf, offerFor, userOf } from '../../../test/licenses.ts'
import { GENEROUS, letThrough } from '../../../test/rates.ts'
import { DAY } from '../../lib/time.ts'

const BURST = 5
/** So many an unlimited license has, and a user. */
const UNLIMITED = 10 * BURST

let app: TestApp
let clients: ReturnType<typeof clientsOf>
before(async () => {
  const licenses = { perSecond: 1 / 60, burst: BURST }
  app = await startTestApp('site_rates_of_installs', { config: { rate: { ...GENEROUS, licenses } } })
  clients = clientsOf(app)
})
beforeEach(() => app.ctx.clock.advance(DAY))
after(() => app.close())

/** Puts a license on a site that was activated by its key, and takes it off again, some times; how often it was put. */
async function many(active: Active, put: () => Promise<Reply>, count = BURST + 3): Promise<number> {
  await clients.deactivate(active)
  const replies: Reply[] = []
  for (let n = 0; n < count; n++) {
    const reply = await put()
    replies.push(reply)
    if (reply.status === 200) assert.equal((await clients.deactivate(active)).status, 200)
  }
  return letThrough(replies)
}

/** A site that was activated by the key of a license, which counts as the first one, and calls by its keys. */
async function activated(quota: number | null = 1) {
  const license = await clients.ownLicense(quota)
  const active = await clients.active(license)
  const { user, install } = holding(app, active.json as Readonly<Record<string, string>>)
  const product = `/products/${app.seller.product.id}/installs/${active.installId}`
  return { license, active, install, user, product }
}

test('a license that a site puts on itself by its key, or by keys that reach it, counts as one that is activated', async () => {
  const one = await activated()
  const body = { license_key: one.license.secret_key }
  assert.equal(await many(one.active, () => one.install('PUT', '.json', body)), BURST - 1)
  assert.equal((await clients.activate(body)).status, 429, 'by whatever way')
  const two = await activated()
  const path = `/licenses/${two.license.id}.json`
  assert.equal(await many(two.active, () => two.install('PUT', path, {})), BURST - 1)
  const three = await activated()
  const byUser = () => three.user('PUT', `${three.product}.json`, { license_key: three.license.secret_key })
  assert.equal(await many(three.active, byUser), BURST - 1)
  const four = await activated()
  const item = { id: four.active.installId, license_key: four.license.secret_key }
  const inList = () =>
    four.user('PUT', `/products/${app.seller.product.id}/installs.json`, { installs: [item] })
  assert.equal(await many(four.active, inList), BURST - 1)
})

test('a list of changes counts each site that it puts a license on, by what it says of all or of one', async () => {
  const { license, user } = await activated(null)
  const path = `/products/${app.seller.product.id}/installs`
  const sites = Array.from({ length: 3 }, () => ({ uid: newUid() }))
  const made = await user('POST', `${path}.json`, { sites })
  const ids = made.json.installs.map(({ id }: { id: string }) => ({ id }))
  const { secret_key: license_key } = license
  const common = await user('PUT', `${path}.json`, { installs: [{ license_key }, ...ids] })
  assert.deepEqual([common.status, common.json.installs.length], [200, 3])
  const rest = Array.from({ length: UNLIMITED - 4 }, () => ({ uid: newUid() }))
  const others = await user('POST', `${path}.json`, { sites: rest })
  const each = others.json.installs.map(({ id }: { id: string }) => ({ id, license_key }))
  const one = { id: ids[0].id, title: 'Mine', license_key }
  assert.equal((await user('PUT', `${path}.json`, { installs: [one, ...each] })).status, 200)
  assert.equal((await clients.activate({ license_key })).status, 429)
})

test('of many sites that a license is put on at once exactly so many are let through', async () => {
  const { license, user } = await activated(null)
  const path = `/products/${app.seller.product.id}/installs`
  const made: string[] = []
  for (const _ of [1, 2]) {
    const some = Array.from({ length: UNLIMITED - BURST }, () =>
      user('POST', `${path}.json`, { uid: newUid() }),
    )
    for (const { json } of await Promise.all(some)) made.push(json.id)
    app.ctx.clock.advance(DAY)
  }
  const body = { license_key: license.secret_key }
  const replies = await Promise.all(made.map((id) => user('PUT', `${path}/${id}.json`, body)))
  assert.equal(letThrough(replies), UNLIMITED)
  assert.deepEqual(await clients.counts(license), [UNLIMITED + 1, 0])
})

test('where it runs it counts nothing, and what is changed beside it neither', async () => {
  const { license, install } = await activated()
  const times = (body: object, path = '.json') =>
    Promise.all(Array.from({ length: 2 * BURST }, () => install('PUT', path, body)))
  const { secret_key: license_key, id } = license
  assert.equal(letThrough(await times({ license_key })), 2 * BURST)
  assert.equal(letThrough(await times({}, `/licenses/${id}.json`)), 2 * BURST)
  assert.equal(letThrough(await times({ title: 'My site' })), 2 * BURST)
})

test('what the seller puts on sites counts nothing', async () => {
  const { license, active, product } = await activated()
  const body = { license_key: license.secret_key }
  for (const path of [`${product}.json`, `${product}/licenses/${license.id}.json`])
    assert.equal(await many(active, () => app.call('PUT', path, { body })), BURST + 3, path)
  assert.equal((await clients.activate(body)).status, 200)
})

test('who has neither the license in reach nor its key uses up nothing of it', async () => {
  const { license, active } = await activated()
  const stranger = await activated()
  const put: CallAs = stranger.install
  for (const body of [{}, { license_key: stranger.license.secret_key }])
    for (let n = 0; n < BURST + 1; n++)
      assert.equal((await put('PUT', `/licenses/${license.id}.json`, body)).status, 404)
  await clients.deactivate(active)
  assert.equal((await clients.activate({ license_key: license.secret_key })).status, 200)
})

test('a license that a bundle opened counts by its id as by the key of the bundle', async () => {
  const { developer, store, product, other } = app.seller
  const scope = { developerId: developer.id, storeId: store.id, productId: product.id }
  const addonId = await app.write((tx) => createAddon(tx, scope, 'Bundled'))
  await app.ctx.database.transaction(async (db) => {
    await db.updateTable('products').set({ kind: 'bundle' }).where('id', '=', other.id).execute()
    await db.insertInto('bundle_members').values({ bundle_id: other.id, product_id: addonId }).execute()
  })
  await offerFor(app, 1, { product: { id: addonId } })
  const email = `${newUid()}@example.com`
  await userOf(app, email, other)
  const { secret_key: license_key } = await licenseOf(app, 1, { product: other, body: { email } })
  const call = (does: string, body: object) =>
    app.call('POST', `/products/${addonId}/licenses/${does}.json`, { token: null, body })
  const site = { license_key, uid: newUid() }
  const { json } = await call('activate', site)
  const { install } = holding(app, json)
  const { licenses } = (await install('GET', '/licenses.json')).json
  const replies: Reply[] = []
  for (let n = 0; n < BURST + 3; n++) {
    await call('deactivate', { ...site, install_id: json.install_id })
    replies.push(await install('PUT', `/licenses/${licenses[0].id}.json`, {}))
  }
  assert.equal(letThrough(replies), BURST - 1)
  assert.equal((await call('activate', { license_key, uid: newUid() })).status, 429)
})
