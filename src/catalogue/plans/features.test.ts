import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('features')
  developer = await asDeveloper(app)
})
after(() => app.close())

const read = (path: string) => app.call('GET', `/products/${app.seller.product.id}${path}`)
const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const fieldsOf = ({ json }: Reply) => json.error.details.map((one: { field: string }) => one.field).toSorted()

let count = 0
async function create(more: object = {}): Promise<{ id: string } & Record<string, unknown>> {
  const { status, json, text } = await write('POST', '/features.json', {
    title: `Feature ${++count}`,
    ...more,
  })
  assert.equal(status, 200, text)
  return json
}

async function createPlan(): Promise<string> {
  const { status, json, text } = await write('POST', '/plans.json', { name: `plan-${++count}` })
  assert.equal(status, 200, text)
  return json.id
}

const catalogue = () =>
  app.ctx.db
    .selectFrom('products')
    .select(['features', 'catalogue_version as version'])
    .where('id', '=', app.seller.product.id)
    .executeTakeFirstOrThrow()

test('features stand in the order they were made, and are read back every field present', async () => {
  const first = await create({ title: 'Exports', description: 'As CSV and JSON.', is_featured: false })
  const second = await create()
  assert.equal((await catalogue()).features, `${first.id},${second.id}`)
  assert.deepEqual((await read('/features.json')).json, { features: [first, second] })
  assert.deepEqual((await read(`/features/${first.id}.json`)).json, first)
  const { id: _, ...rest } = first
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    updated: null,
    plugin_id: String(app.seller.product.id),
    title: 'Exports',
    description: 'As CSV and JSON.',
    is_featured: false,
  })
  assert.equal(second['is_featured'], true)
})

test('a page of features is cut from the order of the seller', async () => {
  await create()
  const ids = (await catalogue()).features.split(',').toReversed()
  await app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ features: ids.join(',') })
      .where('id', '=', app.seller.product.id)
      .execute(),
  )
  const { json } = await read('/features.json?count=2&offset=1&fields=id')
  const expected = ids.slice(1, 3).map((id) => ({ id }))
  assert.deepEqual(json, { features: expected })
})

test('an update writes what was given, and one of nothing writes nothing', async () => {
  const feature = await create({ title: 'Old' })
  const { version } = await catalogue()
  app.ctx.clock.advance(60_000)
  const same = await app.call('PUT', `/products/${app.seller.product.id}/features/${feature.id}.json`, {
    body: { title: 'Old', value: '5' },
  })
  assert.deepEqual(same.json, feature)
  assert.equal((await catalogue()).version, version)
  const change = { title: 'New', description: '', is_featured: false }
  const { json } = await write('PUT', `/features/${feature.id}.json`, change)
  assert.deepEqual(json, { ...feature, ...change, updated: '2026-01-31 10:01:00' })
  assert.ok((await catalogue()).version > version)
})

test('a plan has the features it was given, with their values in the order of the product', async () => {
  const plan = await createPlan()
  const [one, two, three] = [await create(), await create(), await create()]
  const put = (feature: { id: string }, body?: object) =>
    write('PUT', `/plans/${plan}/features/${feature.id}.json`, body)
  const ofPlan = (feature: object, value: string | null) => ({ ...feature, plan_id: plan, value })
  assert.deepEqual((await put(three, { value: '10 GB' })).json, ofPlan(three, '10 GB'))
  assert.deepEqual((await put(one)).json, ofPlan(one, null))
  const { version } = await catalogue()
  assert.deepEqual((await put(three, { value: '20 GB' })).json, ofPlan(three, '20 GB'))
  assert.ok((await catalogue()).version > version)
  const { features } = (await read(`/plans/${plan}/features.json`)).json
  assert.deepEqual(features, [ofPlan(one, null), ofPlan(three, '20 GB')])
  const page = await read(`/plans/${plan}/features.json?count=1&offset=1&fields=value`)
  assert.deepEqual(page.json, { features: [{ value: '20 GB' }] })
  assert.equal((await write('DELETE', `/plans/${plan}/features/${one.id}.json`)).status, 204)
  assert.equal((await write('DELETE', `/plans/${plan}/features/${one.id}.json`)).status, 404)
  assert.equal((await write('DELETE', `/plans/${plan}/features/${two.id}.json`)).status, 404)
  const left = (await read(`/plans/${plan}/features.json`)).json
  assert.deepEqual(left, { features: [ofPlan(three, '20 GB')] })
})

test('a deleted feature leaves the order and every plan', async () => {
  const plan = await createPlan()
  const feature = await create()
  await write('PUT', `/plans/${plan}/features/${feature.id}.json`, { value: 'x' })
  const before = await catalogue()
  assert.equal((await write('DELETE', `/features/${feature.id}.json`)).status, 204)
  const after = await catalogue()
  assert.equal(
    after.features,
    before.features
      .split(',')
      .filter((id) => id !== feature.id)
      .join(','),
  )
  assert.ok(after.version > before.version)
  assert.deepEqual((await read(`/plans/${plan}/features.json`)).json, { features: [] })
  assert.equal((await read(`/features/${feature.id}.json`)).status, 404)
  assert.equal((await write('DELETE', `/features/${feature.id}.json`)).status, 404)
})

test('an id is taken out of the order only where it stands alone', async () => {
  const { features: whole } = await catalogue()
  const feature = await create()
  const around = [`1${feature.id}`, feature.id, `${feature.id}1`]
  await app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ features: around.join(',') })
      .where('id', '=', app.seller.product.id)
      .execute(),
  )
  await write('DELETE', `/features/${feature.id}.json`)
  assert.equal((await catalogue()).features, `1${feature.id},${feature.id}1`)
  await app.write(({ db }) =>
    db.updateTable('products').set({ features: whole }).where('id', '=', app.seller.product.id).execute(),
  )
})

test('bad input names every field and stores nothing', async () => {
  const before = (await read('/features.json?count=50')).json
  const bad = await write('POST', '/features.json', {
    title: '',
    description: 'x'.repeat(257),
    is_featured: 2,
  })
  assert.deepEqual([bad.status, fieldsOf(bad)], [400, ['description', 'is_featured', 'title']])
  const none = await write('POST', '/features.json')
  assert.deepEqual([none.status, fieldsOf(none)], [402, ['title']])
  assert.deepEqual((await read('/features.json?count=50')).json, before)
})

test("another product's features and plans are not found", async () => {
  const other = (path: string) => `/products/${app.seller.other.id}${path}`
  const theirs = (await developer('POST', other('/features.json'), { title: 'Theirs' })).json
  const theirPlan = (await developer('POST', other('/plans.json'), { name: 'theirs' })).json
  const [own, plan] = [await create(), await createPlan()]
  assert.equal((await read(`/features/${theirs.id}.json`)).status, 404)
  assert.equal((await write('PUT', `/features/${theirs.id}.json`, { title: 'Mine' })).status, 404)
  assert.equal((await write('DELETE', `/features/${theirs.id}.json`)).status, 404)
  assert.equal((await write('PUT', `/plans/${plan}/features/${theirs.id}.json`)).status, 404)
  assert.equal((await write('PUT', `/plans/${theirPlan.id}/features/${own.id}.json`)).status, 404)
  assert.equal((await write('DELETE', `/plans/${theirPlan.id}/features/${own.id}.json`)).status, 404)
  assert.equal((await read(`/plans/${theirPlan.id}/features.json`)).status, 404)
  assert.deepEqual((await developer('GET', other('/features.json'))).json, { features: [theirs] })
})

test('a token may update and delete features, only a developer creates them and gives them to plans', async () => {
  const [feature, plan] = [await create(), await createPlan()]
  const product = `/products/${app.seller.product.id}`
  const call = (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object = { title: 'By token' }) =>
    app.call(method, product + path, method === 'DELETE' ? {} : { body })
  assert.equal((await call('POST', '/features.json')).status, 401)
  assert.equal((await call('PUT', `/plans/${plan}/features/${feature.id}.json`)).status, 401)
  assert.equal((await call('DELETE', `/plans/${plan}/features/${feature.id}.json`)).status, 401)
  assert.equal((await call('PUT', `/features/${feature.id}.json`)).status, 200)
  const anyone = asPublic(app)
  assert.equal((await anyone('GET', '/features.json')).status, 200)
  assert.equal((await anyone('GET', `/features/${feature.id}.json`)).status, 200)
  assert.equal((await anyone('GET', `/plans/${plan}/features.json`)).status, 200)
  assert.equal((await anyone('PUT', `/features/${feature.id}.json`, { title: 'x' })).status, 401)
  assert.equal((await call('DELETE', `/features/${feature.id}.json`)).status, 204)
})
