import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientsOf, type Clients } from '../../../test/activations.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { License } from '../licenses/schema.ts'
import { systemScope } from '../../access/scope.ts'
import { addSite } from './sites.ts'

let app: TestApp
let clients: Clients
before(async () => {
  app = await startTestApp('license_sites')
  clients = clientsOf(app)
})
after(() => app.close())

const path = (license: License, rest = '') => clients.path(`/licenses/${license.id}/sites${rest}.json`)
const add = (license: License, kind: string, pattern: string) =>
  app.call('POST', path(license), { body: { kind, pattern } })
const tryAt = (license: License, url: string) =>
  clients.refusal(clients.activate({ license_key: license.secret_key, url }))

test('a site on the deny list is refused until it is taken off it', async () => {
  const license = await clients.ownLicense(9)
  const added = await add(license, 'deny', 'https://www.Bad.example.com/x')
  assert.deepEqual([added.status, added.json.pattern], [201, 'bad.example.com'])
  assert.deepEqual((await add(license, 'deny', 'bad.example.com')).json, added.json)
  assert.deepEqual((await app.call('GET', path(license))).json, { sites: [added.json] })
  assert.equal(await tryAt(license, 'https://bad.example.com'), '400 license_error')
  assert.equal((await app.call('DELETE', path(license, `/${added.json.id}`))).status, 204)
  assert.equal((await app.call('DELETE', path(license, `/${added.json.id}`))).status, 404)
  await clients.active(license, { url: 'https://bad.example.com' })
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('type', 'like', 'license.%black%')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['license.site.blacklisted', 'license.blacklisted_site.deleted'],
  )
})

test('the seller may call any host local, the owner those that say it themselves', async () => {
  const license = await clients.ownLicense(1)
  assert.equal((await add(license, 'local', '*.agency.com')).status, 201)
  await clients.active(license, { url: 'https://shop.agency.com' })
  assert.deepEqual(await clients.counts(license), [0, 1])
  const { developer, product } = app.seller
  const scope = {
    ...systemScope({ developerId: developer.id, productId: product.id }),
    kind: 'user' as const,
    userId: Number(license.user_id),
  }
  const asOwner = (pattern: string) =>
    app.write((tx) => addSite(tx, scope, Number(license.id), { kind: 'local', pattern }))
  for (const pattern of [
    '*',
    '*.com',
    'shop.com',
    '*.shop.com',
    '*test*',
    'test*.com',
    'developer.com',
    'contest.com',
  ]) {
    await assert.rejects(asOwner(pattern), { status: 400 }, pattern)
  }
  for (const pattern of ['*.dev.shop.com', 'staging-*.shop.com', 'qa.shop.com', 'shop.test']) {
    assert.equal((await asOwner(pattern)).pattern, pattern)
  }
  const stranger = { ...scope, userId: Number(license.user_id) + 1 }
  const other = app.write((tx) =>
    addSite(tx, stranger, Number(license.id), { kind: 'deny', pattern: 'x.com' }),
  )
  await assert.rejects(other, { status: 404 })
})

test('what is no host, and a list that is full, are 400', async () => {
  const license = await clients.ownLicense(1)
  for (const pattern of ['a b', '*.*.*.*.com', 'http://']) {
    assert.equal((await add(license, 'deny', pattern)).status, 400, pattern)
  }
  const replies = await Promise.all(
    Array.from({ length: 205 }, (_, index) => add(license, 'deny', `site${index}.example.com`)),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 200)
  assert.ok(replies.every(({ status, json }) => status === 201 || json.error.code === 'license_sites_full'))
})
