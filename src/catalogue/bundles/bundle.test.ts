import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('bundles')
  developer = await asDeveloper(app)
})
after(() => app.close())

const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()
const idsOf = ({ json }: Reply) => json.plugins.map(({ id }: { id: string }) => Number(id))

async function createBundle(more: object = {}) {
  const title = `Bundle ${Math.random()}`
  const { status, json, text } = await developer('POST', '/plugins.json', { title, is_bundle: true, ...more })
  assert.equal(status, 200, text)
  const path = `/products/${json.id}/bundle/members.json`
  return { id: Number(json.id), alias: json.type_alias, path }
}

test('a bundle is created with its members, which are whole products', async () => {
  const { product, other } = app.seller
  const { path, alias } = await createBundle({ members: `${other.id},${product.id}` })
  assert.equal(alias, 'bundle')
  const members = await developer('GET', path)
  assert.deepEqual(idsOf(members), [product.id, other.id])
  const whole = (await developer('GET', `/products/${product.id}.json`)).json
  assert.deepEqual(members.json.plugins[0], whole)
  assert.deepEqual((await developer('GET', `${path}?fields=id`)).json.plugins[0], { id: String(product.id) })
})

test('its members are replaced as a whole, and the version of its catalogue rises', async () => {
  const { product, other } = app.seller
  const { id, path } = await createBundle({ members: `${other.id}` })
  const version = () =>
    app.ctx.db
      .selectFrom('products')
      .select('catalogue_version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const before = await version()
  assert.deepEqual(idsOf(await developer('PUT', path, { members: `${product.id}` })), [product.id])
  assert.equal((await version()).catalogue_version, before.catalogue_version + 1)
  const { plugins } = (await developer('PUT', `${path}?fields=id`, { members: `${other.id}` })).json
  assert.deepEqual(plugins, [{ id: String(other.id) }])
  assert.deepEqual(idsOf(await developer('PUT', path, { members: '' })), [])
})

test('a store makes a bundle of its products', async () => {
  const { product, other } = app.seller
  const store = asStore(app)
  const made = await store('POST', '/plugins.json', {
    title: 'Bundle of a store',
    is_bundle: true,
    members: `${product.id},${other.id}`,
  })
  assert.deepEqual([made.status, made.json.type_alias], [200, 'bundle'], made.text)
  const path = `/products/${made.json.id}/bundle/members.json`
  assert.deepEqual(idsOf(await developer('GET', path)), [product.id, other.id])
  const plain = await store('POST', '/plugins.json', { title: 'No bundle of a store' })
  assert.notEqual(plain.json.type_alias, 'bundle')
})

test('a bundle holds products of its developer that are no bundles, each once', async () => {
  const stranger = await app.write((tx) => createSeller(tx, 'stranger@example.com'))
  const { product } = app.seller
  const { id, path } = await createBundle({ members: `${product.id}` })
  const another = await createBundle()
  for (const bad of [id, another.id, stranger.product.id, 987654321, `${product.id},${product.id}`, 'x']) {
    const reply = await developer('PUT', path, { members: `${bad}` })
    assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['members']], String(bad))
    const created = await developer('POST', '/plugins.json', {
      title: 'Bad',
      is_bundle: true,
      members: `${bad}`,
    })
    assert.deepEqual([created.status, fieldsOf(created)], [400, ['members']], String(bad))
  }
  assert.deepEqual(idsOf(await developer('GET', path)), [product.id])
  assert.equal((await developer('PUT', path, {})).status, 402)
  assert.equal((await developer('GET', `/products/${stranger.product.id}/bundle/members.json`)).status, 401)
})

test('a product that is no bundle has no members and gets none', async () => {
  const { product, other } = app.seller
  const path = `/products/${product.id}/bundle/members.json`
  const refused = await developer('PUT', path, { members: `${other.id}` })
  assert.deepEqual([refused.status, fieldsOf(refused)], [400, ['members']])
  assert.deepEqual(idsOf(await developer('GET', path)), [])
  assert.deepEqual(idsOf(await developer('PUT', path, { members: '' })), [])
})

test('members are read and written in developer scope only', async () => {
  const { path } = await createBundle()
  assert.equal((await app.call('GET', path)).status, 401)
  assert.equal((await app.call('PUT', path, { body: { members: '' } })).status, 401)
})

test('of two lists of members written at once one stands, not both mixed', async () => {
  const { product, other } = app.seller
  const { path } = await createBundle()
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all(
      [product.id, other.id, product.id, other.id].map((id) => developer('PUT', path, { members: `${id}` })),
    )
    for (const { status } of replies) assert.equal(status, 200)
    assert.equal(idsOf(await developer('GET', path)).length, 1)
  }
})
