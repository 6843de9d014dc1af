import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../../test/callers.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { HOUR } from '../../lib/time.ts'
import { createStore } from './service.ts'

let app: TestApp
let stranger: Seller
let developer: CallAs
before(async () => {
  app = await startTestApp('stores')
  stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  developer = await asDeveloper(app)
})
after(() => app.close())

const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()
const own = () => `/stores/${app.seller.store.id}`

const eventsOfStore = () =>
  app.ctx.db
    .selectFrom('events')
    .select(['type', 'data', 'event_trigger'])
    .where('developer_id', '=', app.seller.developer.id)
    .where('type', 'like', 'store.%url%')
    .orderBy('id')
    .execute()

test('a store is shown with its keys to its developer and to itself', async () => {
  const { store, developer: seller } = app.seller
  const { status, json } = await developer('GET', `${own()}.json`)
  assert.equal(status, 200)
  assert.deepEqual(json, {
    id: String(store.id),
    created: '2026-01-31 10:00:00',
    updated: null,
    developer_id: String(seller.id),
    title: 'Store',
    url: '',
    dashboard_url: '',
    public_key: store.publicKey,
    secret_key: store.secretKey,
  })
  assert.deepEqual((await asStore(app)('GET', '.json')).json, json)
})

test('stores are listed newest first, those of the developer only', async () => {
  const id = await app.write((tx) =>
    createStore(tx, { developerId: app.seller.developer.id, title: 'Second' }),
  )
  const { json } = await developer('GET', '/stores.json?fields=id')
  assert.deepEqual(json.stores, [{ id: String(id) }, { id: String(app.seller.store.id) }])
  assert.deepEqual((await developer('GET', '/stores.json?fields=id&count=1')).json.stores, [
    { id: String(id) },
  ])
  assert.equal((await developer('GET', '/stores.json?count=1&offset=1')).json.stores[0].title, 'Store')
})

test('an update writes what was given; a changed address is an event, a changed title is none', async () => {
  app.ctx.clock.advance(HOUR)
  const url = 'https://shop.example.com'
  const first = await developer('PUT', `${own()}.json`, { title: 'Aurora', url })
  assert.equal(first.status, 200, first.text)
  const second = await asStore(app)('PUT', '.json', { url, dashboard_url: 'https://my.example.com' })
  assert.deepEqual(
    [second.json.title, second.json.url, second.json.dashboard_url, second.json.updated],
    ['Aurora', url, 'https://my.example.com', '2026-01-31 11:00:00'],
  )
  const events = await eventsOfStore()
  assert.deepEqual(
    events.map(({ type, data, event_trigger: trigger }) => [type, JSON.parse(data ?? ''), trigger]),
    [
      ['store.url.updated', { store_id: String(app.seller.store.id), from: '', to: url }, 'developer'],
      [
        'store.dashboard_url.updated',
        { store_id: String(app.seller.store.id), from: '', to: 'https://my.example.com' },
        'developer',
      ],
    ],
  )
  app.ctx.clock.advance(HOUR)
  assert.deepEqual((await developer('PUT', `${own()}.json`, { url })).json, second.json)
  assert.equal((await eventsOfStore()).length, 2)
})

test('every malformed field is named, and output-only fields are never stored (S05)', async () => {
  const before = (await developer('GET', `${own()}.json`)).json
  const reply = await developer('PUT', `${own()}.json`, {
    title: '  ',
    url: 'x',
    dashboard_url: 'javascript:1',
  })
  assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['dashboard_url', 'title', 'url']])
  const given = {
    id: 99,
    developer_id: stranger.developer.id,
    secret_key: 'sk_x',
    public_key: 'pk_x',
    created: 'x',
  }
  assert.deepEqual((await developer('PUT', `${own()}.json`, given)).json, before)
})

test("another developer's store is not found, and its keys open nothing else", async () => {
  const theirs = await asDeveloper(app, stranger.developer)
  await theirs('PUT', `/stores/${stranger.store.id}/emails/addresses.json`, { general: 'theirs@example.com' })
  for (const path of [
    `/stores/${stranger.store.id}.json`,
    `/stores/${stranger.store.id}/emails/addresses.json`,
  ]) {
    for (const method of ['GET', 'PUT'] as const) {
      assert.equal((await developer(method, path, method === 'PUT' ? {} : undefined)).status, 404, path)
    }
  }
  const foreign = { ...stranger.store, id: app.seller.store.id }
  assert.equal((await asStore(app, foreign)('GET', '.json')).status, 401)
})

const ADDRESSES = { general: 'shop@example.com', general_name: 'Aurora', support: 'help@example.com' }
const NONE = {
  dont_reply: null,
  dont_reply_name: null,
  personal: null,
  personal_name: null,
  personal_technical: null,
  personal_technical_name: null,
  personal_setup: null,
  personal_setup_name: null,
  support_name: null,
}

test('a store has no sender addresses until they are written, keeps what is left out, and loses them by DELETE', async () => {
  const path = `${own()}/emails/addresses.json`
  assert.equal((await developer('GET', path)).status, 404)
  assert.equal((await developer('DELETE', path)).status, 404)
  const { status, json } = await developer('PUT', path, ADDRESSES)
  assert.equal(status, 200)
  const { id, created, updated, ...rest } = json
  assert.match(id, /^[1-9]\d*$/)
  assert.deepEqual([created, updated], ['2026-01-31 12:00:00', null])
  assert.deepEqual(rest, { store_id: app.seller.store.id, ...NONE, ...ADDRESSES })
  const again = await asStore(app)('PUT', '/emails/addresses.json', {
    support: null,
    personal: 'ann@example.com',
  })
  assert.deepEqual(
    [again.json.id, again.json.general, again.json.support, again.json.personal],
    [id, ADDRESSES.general, null, 'ann@example.com'],
  )
  assert.deepEqual((await asStore(app)('GET', '/emails/addresses.json')).json, again.json)
  assert.equal((await asStore(app)('DELETE', '/emails/addresses.json')).status, 204)
  assert.equal((await developer('GET', path)).status, 404)
})

test("a product's sender addresses are not found while it has its store's", async () => {
  const path = `/products/${app.seller.product.id}/emails/addresses.json`
  await developer('PUT', `${own()}/emails/addresses.json`, ADDRESSES)
  assert.equal((await app.call('GET', path)).status, 404)
  const written = await developer('PUT', path, {
    ...ADDRESSES,
    store_id: app.seller.store.id,
    id: 7,
    plugin_id: 9,
  })
  assert.deepEqual([written.status, written.text], [204, ''])
  const { id, ...rest } = (await app.call('GET', path)).json
  assert.notEqual(id, '7')
  const times = { created: '2026-01-31 12:00:00', updated: null }
  const owner = { plugin_id: String(app.seller.product.id), store_id: app.seller.store.id }
  assert.deepEqual(rest, { ...times, ...owner, ...NONE, ...ADDRESSES })
  assert.equal((await app.call('DELETE', path)).status, 204)
  assert.equal((await app.call('GET', path)).status, 404)
  assert.equal((await app.call('DELETE', path)).status, 404)
  assert.equal((await developer('GET', `${own()}/emails/addresses.json`)).status, 200)
})

test('sender addresses are checked, every field named, and cannot add a header (S28)', async () => {
  const path = `/products/${app.seller.product.id}/emails/addresses.json`
  const reply = await developer('PUT', path, {
    general: 'a@example.com\r\nBcc: b@example.com',
    general_name: 'A\r\nBcc: b@example.com',
    support: 'nobody',
    personal_name: 'x'.repeat(101),
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(fieldsOf(reply), ['general', 'general_name', 'personal_name', 'support'])
  const elsewhere = await developer('PUT', path, { store_id: stranger.store.id })
  assert.deepEqual([elsewhere.status, fieldsOf(elsewhere)], [400, ['store_id']])
  assert.equal((await app.call('GET', path)).status, 404)
})

test("a product's sender addresses are written in developer scope only", async () => {
  const path = `/products/${app.seller.product.id}/emails/addresses.json`
  assert.equal((await app.call('PUT', path, { body: ADDRESSES })).status, 401)
})

test('of first writes at once one set of addresses comes, with all that was given', async () => {
  const path = `/products/${app.seller.other.id}/emails/addresses.json`
  const given = [{ general: 'g@example.com' }, { support: 's@example.com' }, { personal: 'p@example.com' }]
  const replies = await Promise.all(given.map((body) => developer('PUT', path, body)))
  for (const { status } of replies) assert.equal(status, 204)
  const { json } = await developer('GET', path)
  assert.deepEqual(
    [json.general, json.support, json.personal],
    ['g@example.com', 's@example.com', 'p@example.com'],
  )
})

test('a seller opens a second store, puts products there, and reads what was told of it', async () => {
  const url = 'https://second.example.com'
  const made = await developer('POST', '/stores.json', { title: 'Second shop', url })
  assert.equal(made.status, 201, made.text)
  const { id, secret_key: secretKey, public_key: publicKey } = made.json
  assert.deepEqual([made.json.title, made.json.url, made.json.dashboard_url], ['Second shop', url, ''])
  const product = await developer('POST', `/stores/${id}/products.json`, {
    title: 'Elsewhere',
    slug: 'elsewhere',
    type: 'plugin',
  })
  assert.equal(product.status, 200, product.text)
  const second = asStore(app, { id: Number(id), secretKey, publicKey })
  const { plugins } = (await second('GET', '/products.json?fields=id')).json
  assert.deepEqual(plugins, [{ id: product.json.id }])
  assert.equal((await second('GET', `/products/${app.seller.product.id}/plans.json`)).status, 401)
  const missing = await developer('POST', '/stores.json', {})
  assert.deepEqual([missing.status, fieldsOf(missing)], [402, ['title']])
  await developer('PUT', `/stores/${id}.json`, { url: 'https://moved.example.com' })
  const { events } = (await developer('GET', '/events.json?count=2')).json
  assert.deepEqual(
    events.map(({ type, data, plugin_id }: Record<string, unknown>) => [type, data, plugin_id]),
    [
      ['store.url.updated', { store_id: id, from: url, to: 'https://moved.example.com' }, null],
      ['store.created', { store_id: id }, null],
    ],
  )
  assert.deepEqual((await developer('GET', `/events/${events[0].id}.json`)).json, events[0])
})

test('events of an account are its own, those about no product, by type', async () => {
  const theirs = await asDeveloper(app, stranger.developer)
  await theirs('POST', '/stores.json', { title: 'Theirs' })
  const [foreign] = (await theirs('GET', '/events.json?type=store.created')).json.events
  assert.ok(foreign)
  assert.equal((await developer('GET', `/events/${foreign.id}.json`)).status, 404)
  const { events } = (await developer('GET', '/events.json?count=50')).json
  assert.ok(events.length > 0 && events.every(({ plugin_id: id }: { plugin_id: unknown }) => id === null))
  assert.ok(!events.some(({ id }: { id: string }) => id === foreign.id))
  const created = (await developer('GET', '/events.json?type=store.created&count=50')).json.events
  assert.ok(created.every(({ type }: { type: string }) => type === 'store.created'))
  const [about] = (await developer('GET', `/products/${app.seller.product.id}/events.json`)).json.events
  if (about) assert.equal((await developer('GET', `/events/${about.id}.json`)).status, 404)
})
