import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { createStore } from '../stores/service.ts'
import { asDeveloper, asStore, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('products_create')
  developer = await asDeveloper(app)
})
after(() => app.close())

const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()

test('a developer lists its products, newest first, all at once on demand, and those of one store', async () => {
  const page = await developer('GET', '/plugins.json?count=2&offset=1&fields=id,title')
  const all = (await developer('GET', '/plugins.json?all=true')).json.plugins
  const ids = all.map(({ id }: { id: string }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((x: number, y: number) => y - x),
  )
  assert.ok(ids.includes(app.seller.product.id) && ids.includes(app.seller.other.id))
  assert.deepEqual(
    page.json.plugins,
    all.slice(1, 3).map(({ id, title }: { id: string; title: string }) => ({ id, title })),
  )
  const inStore = await asStore(app)('GET', '/plugins.json?all=1')
  assert.deepEqual(inStore.json.plugins, all)
  assert.deepEqual((await developer('GET', '/products.json?all=true')).json.plugins, all)
})

test('a product stands in the first store unless another is named; its event says so', async () => {
  const created = await developer('POST', '/plugins.json', { title: 'Grüße & Küsse' })
  assert.equal(created.status, 200, created.text)
  assert.equal(created.json.store_id, String(app.seller.store.id))
  assert.equal(created.json.slug, 'grüße-küsse')
  assert.match(created.json.secret_key, /^sk_[\w-]{29}$/)
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'data', 'event_trigger'])
    .where('product_id', '=', Number(created.json.id))
    .execute()
  assert.deepEqual(
    events.map(({ type, event_trigger: trigger }) => [type, trigger]),
    [['store.plugin.added', 'developer']],
  )
  assert.deepEqual(JSON.parse(events[0]?.data ?? ''), {
    store_id: created.json.store_id,
    plugin_id: created.json.id,
  })
  const path = `/products/${created.json.id}.json`
  assert.deepEqual((await developer('GET', path)).json, created.json)
  const inStore = await asStore(app)('POST', '/plugins.json', { title: 'In store', type: 'widget' })
  assert.deepEqual([inStore.status, inStore.json.type], [200, 'widget'])
})

test('a store lists its own products only', async () => {
  const storeId = await app.write((tx) =>
    createStore(tx, { developerId: app.seller.developer.id, title: 'B' }),
  )
  const created = await developer('POST', '/plugins.json', {
    title: 'In the second store',
    store_id: storeId,
  })
  assert.equal(created.json.store_id, String(storeId))
  assert.deepEqual((await developer('GET', `/stores/${storeId}/plugins.json`)).json.plugins, [created.json])
  const first = (await asStore(app)('GET', '/plugins.json?all=true')).json.plugins
  assert.ok(first.every(({ id }: { id: string }) => id !== created.json.id))
  const parent = { title: 'Elsewhere', parent_plugin_id: created.json.id }
  const refused = await asStore(app)('POST', '/plugins.json', parent)
  assert.deepEqual([refused.status, fieldsOf(refused)], [400, ['parent_plugin_id']])
})

test("products of another developer's store are not found, and none is made there", async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const path = `/stores/${stranger.store.id}/plugins.json`
  assert.equal((await developer('GET', path)).status, 404)
  assert.equal((await developer('POST', path, { title: 'Theirs' })).status, 404)
  const all = (await developer('GET', '/plugins.json?all=true')).json.plugins
  assert.ok(all.every(({ id }: { id: string }) => id !== String(stranger.product.id)))
  const own = await developer('POST', `/stores/${app.seller.store.id}/plugins.json`, { title: 'Ours' })
  assert.equal(own.status, 200)
  const listed = await developer('GET', `/stores/${app.seller.store.id}/plugins.json?count=1`)
  assert.deepEqual(listed.json.plugins, [own.json])
})

test('an add-on stands under a product of the same store, never under an add-on or bundle', async () => {
  const parent = String(app.seller.product.id)
  const addOn = (await developer('POST', '/plugins.json', { title: 'Add-on', parent_plugin_id: parent })).json
  assert.equal(addOn.parent_plugin_id, parent)
  const bundle = (await developer('POST', '/plugins.json', { title: 'Empty bundle', is_bundle: true })).json
  for (const [body, field] of [
    [{ parent_plugin_id: addOn.id }, 'parent_plugin_id'],
    [{ parent_plugin_id: bundle.id }, 'parent_plugin_id'],
    [{ parent_plugin_id: 987654321 }, 'parent_plugin_id'],
    [{ parent_plugin_id: parent, is_bundle: true }, 'is_bundle'],
    [{ store_id: 987654321 }, 'store_id'],
    [{ members: parent }, 'members'],
  ] as const) {
    const reply = await developer('POST', '/plugins.json', { title: 'Refused', ...body })
    assert.deepEqual([reply.status, fieldsOf(reply)], [400, [field]])
  }
  const none = await app.ctx.db.selectFrom('products').select('id').where('title', '=', 'Refused').execute()
  assert.deepEqual(none, [])
  assert.equal((await developer('POST', '/plugins.json', {})).status, 402)
})

test('a product cannot be created with its token or its public key', async () => {
  const body = { title: 'No' }
  assert.equal((await app.call('POST', '/plugins.json', { body })).status, 401)
  assert.equal(
    (await app.call('POST', `/developers/${app.seller.developer.id}/plugins.json`, { body })).status,
    401,
  )
})
