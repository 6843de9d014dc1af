import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, newUid, type Active, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { scopeOf } from '../../../test/sales.ts'
import { putLicenseOn } from '../activation/license-on-install.ts'
import type { License } from './schema.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('counting')
  clients = clientsOf(app)
})
after(() => app.close())

const at = (license: License, url: string, more: object = {}) => clients.active(license, { url, ...more })
const tryAt = (license: License, url: string, more: object = {}) =>
  clients.refusal(clients.activate({ license_key: license.secret_key, url, ...more }))
const countedAs = async ({ installId }: Active) => (await clients.installRow(installId)).counted_as
/** Another license of the same owner. */
async function sameOwner({ user_id: id }: License, quota: number | null = 1): Promise<License> {
  const license = await clients.ownLicense(quota)
  await clients.setLicense(license, { user_id: Number(id) })
  return { ...license, user_id: id }
}

test('local hosts are counted apart and need no place while they are free', async () => {
  const license = await clients.ownLicense(1)
  await at(license, 'https://shop.com')
  for (const url of [
    'http://localhost:8080/x',
    'https://staging.shop.com',
    'http://shop.test',
    '127.0.0.1',
  ]) {
    await at(license, url)
  }
  assert.deepEqual(await clients.counts(license), [1, 4])
  assert.equal(await tryAt(license, 'https://other.com'), '400 license_utilized')
})

test('local hosts take places where they are not free', async () => {
  const license = await clients.ownLicense(2)
  await clients.setLicense(license, { is_free_localhost: false })
  await at(license, 'http://localhost')
  await at(license, 'https://shop.com')
  assert.equal(await tryAt(license, 'http://localhost'), '400 license_utilized')
  assert.equal(await tryAt(license, 'https://other.com'), '400 license_utilized')
  assert.deepEqual(await clients.counts(license), [1, 1])
})

test('without a quota any number is counted; what has no address is production', async () => {
  const license = await clients.ownLicense(null)
  for (let count = 0; count < 4; count++) await clients.active(license)
  assert.deepEqual(await clients.counts(license), [4, 0])
})

test('by domain, a subdomain of a counted domain is covered, and counted once the domain is gone', async () => {
  const license = await clients.ownLicense(1)
  const domain = await at(license, 'https://www.shop.com')
  const deep = await at(license, 'https://a.blog.shop.com')
  const sub = await at(license, 'https://blog.shop.com')
  assert.deepEqual(
    [await countedAs(domain), await countedAs(deep), await countedAs(sub)],
    ['production', 'covered', 'covered'],
  )
  assert.deepEqual(await clients.counts(license), [1, 0])
  assert.equal((await clients.deactivate(domain)).status, 200)
  assert.deepEqual([await countedAs(deep), await countedAs(sub)], ['covered', 'production'])
  assert.deepEqual(await clients.counts(license), [1, 0])
  assert.equal(await tryAt(license, 'https://shop.com'), '400 license_utilized')
})

test('what a domain only covered is counted beyond the quota when it goes, and stops others', async () => {
  const license = await clients.ownLicense(1)
  const domain = await at(license, 'https://shop.com')
  const subs = [await at(license, 'https://a.shop.com'), await at(license, 'https://b.shop.com')]
  await clients.deactivate(domain)
  assert.deepEqual(await clients.counts(license), [2, 0])
  assert.equal(await tryAt(license, 'https://c.com'), '400 license_utilized')
  for (const sub of subs) await clients.deactivate(sub)
  assert.deepEqual(await clients.counts(license), [0, 0])
})

test('by subdomain every host is counted', async () => {
  const license = await clients.ownLicense(1, { plan: { license_type: 1 } } as object)
  await at(license, 'https://shop.com')
  assert.equal(await tryAt(license, 'https://blog.shop.com'), '400 license_utilized')
})

test('an install that tells another address is counted anew: local does not become production for nothing', async () => {
  const license = await clients.ownLicense(1)
  await at(license, 'https://shop.com')
  const local = await at(license, 'http://localhost')
  const moved = { uid: local.uid }
  assert.equal(await tryAt(license, 'https://second.com', moved), '400 license_utilized')
  assert.equal((await clients.installRow(local.installId)).url, 'http://localhost')
  await at(license, 'http://my.test', moved)
  await at(license, 'https://blog.shop.com', moved)
  assert.deepEqual([await countedAs(local), await clients.counts(license)], ['covered', [1, 0]])
  assert.equal(await tryAt(license, 'https://second.com', moved), '400 license_utilized')
  await at(license, 'http://localhost', moved)
  assert.deepEqual(await clients.counts(license), [1, 1])
})

test('nor does an update of the install make it so', async () => {
  const license = await clients.ownLicense(1)
  await at(license, 'https://shop.com')
  const { installId, token } = await at(license, 'http://localhost')
  const put = (url: string) => app.call('PUT', `/installs/${installId}.json`, { token, body: { url } })
  assert.equal(await clients.refusal(put('https://second.com')), '400 license_utilized')
  assert.equal((await put('http://my.test')).status, 200)
  assert.deepEqual(await clients.counts(license), [1, 1])
})

test('a domain that moves on leaves what it covered counted, and must find a place beside it', async () => {
  const license = await clients.ownLicense(1)
  const domain = await at(license, 'https://shop.com')
  assert.equal((await at(license, 'https://other.com', { uid: domain.uid })).installId, domain.installId)
  await at(license, 'https://blog.other.com')
  assert.equal(await tryAt(license, 'https://third.com', { uid: domain.uid }), '400 license_utilized')
  assert.deepEqual(await clients.counts(license), [1, 0])
})

test('a lowered quota deactivates nothing and lets a site move, but takes nobody new', async () => {
  const license = await clients.ownLicense(3)
  const sites = [
    await clients.active(license),
    await at(license, 'https://b.com'),
    await clients.active(license),
  ]
  await clients.setLicense(license, { quota: 1 })
  const [, second] = sites
  assert.ok(second)
  await at(license, 'https://moved.com', { uid: second.uid })
  assert.deepEqual(await clients.counts(license), [3, 0])
  assert.equal(await tryAt(license, 'https://new.com'), '400 license_utilized')
})

test('a pattern of the license makes a host local', async () => {
  const license = await clients.ownLicense(1)
  await clients.addSite(license, 'local', '*.agency.com')
  await at(license, 'https://shop.agency.com')
  assert.deepEqual(await clients.counts(license), [0, 1])
})

test('activations of one uid at once make one install and take one place', async () => {
  const license = await clients.ownLicense(5)
  const body = { uid: newUid(), license_key: license.secret_key, url: 'https://shop.com' }
  const replies = await Promise.all(Array.from({ length: 8 }, () => clients.activate(body)))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ json }) => json.install_id)).size, 1)
  assert.deepEqual(await clients.counts(license), [1, 0])
})

test('an install that is moved both ways at once ends on one license, and the counters say on which', async () => {
  const one = await clients.ownLicense(1)
  const two = await sameOwner(one)
  const { uid, installId } = await clients.active(one, { url: 'https://shop.com' })
  const moves = Array.from({ length: 10 }, (_, index) =>
    clients.activate({
      uid,
      install_id: installId,
      license_key: (index % 2 === 0 ? two : one).secret_key,
    }),
  )
  for (const reply of await Promise.all(moves)) assert.equal(reply.status, 200, reply.text)
  const [first] = await clients.counts(one)
  const [second] = await clients.counts(two)
  const { license_id: id } = await clients.installRow(installId)
  assert.deepEqual([first, second], id === Number(one.id) ? [1, 0] : [0, 1])
})

test('a license without a place leaves the install and the one that is on it as they are, for who goes on without it', async () => {
  const own = await clients.ownLicense(1)
  const full = await sameOwner(own)
  const { installId } = await clients.active(own, { url: 'https://shop.com' })
  await clients.active(full, { url: 'https://elsewhere.com' })
  await app.recorded()
  const read = async () => [
    await clients.installRow(installId),
    await clients.counts(own),
    await clients.counts(full),
  ]
  const before = await read()
  await app.write(async (tx) => {
    const put = { installId: Number(installId), licenseId: Number(full.id) }
    await assert.rejects(putLicenseOn(tx, scopeOf(app), put), { code: 'license_utilized' })
  })
  assert.deepEqual(await read(), before)
})

test('two installs that change their licenses with each other at once both find a place', async () => {
  const one = await clients.ownLicense(2)
  const two = await sameOwner(one, 2)
  const a = await clients.active(one)
  const b = await clients.active(two)
  for (let round = 0; round < 5; round++) {
    const [to, from] = round % 2 === 0 ? [two, one] : [one, two]
    const replies = await Promise.all([
      clients.activate({ uid: a.uid, install_id: a.installId, license_key: to.secret_key }),
      clients.activate({ uid: b.uid, install_id: b.installId, license_key: from.secret_key }),
    ])
    for (const reply of replies) assert.equal(reply.status, 200, reply.text)
  }
  assert.deepEqual(
    [await clients.counts(one), await clients.counts(two)],
    [
      [1, 0],
      [1, 0],
    ],
  )
})

test('what a domain would cover is counted when the domain goes at the same time', async () => {
  for (let round = 0; round < 12; round++) {
    const license = await clients.ownLicense(3)
    const domain = await at(license, 'https://shop.com')
    const [off, on] = await Promise.all([
      clients.deactivate(domain),
      clients.activate({ license_key: license.secret_key, url: 'https://blog.shop.com' }),
    ])
    assert.deepEqual([off.status, on.status], [200, 200])
    assert.deepEqual(await clients.counts(license), [1, 0])
  }
})

test('deactivating a domain and what it covers at once gives back every place', async () => {
  for (let round = 0; round < 5; round++) {
    const license = await clients.ownLicense(1)
    const domain = await at(license, 'https://shop.com')
    const subs = [await at(license, 'https://a.shop.com'), await at(license, 'https://b.shop.com')]
    const replies = await Promise.all([domain, ...subs].map((one) => clients.deactivate(one)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(await clients.counts(license), [0, 0])
  }
})
