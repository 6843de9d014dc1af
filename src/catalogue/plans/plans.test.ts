import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, asStore, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('plans')
  developer = await asDeveloper(app)
})
after(() => app.close())

const read = (path: string) => app.call('GET', `/products/${app.seller.product.id}${path}`)
const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)
const fieldsOf = ({ json }: Reply) => json.error.details.map((one: { field: string }) => one.field).toSorted()

let count = 0
async function create(more: object = {}): Promise<Record<string, unknown> & { id: string }> {
  const { status, json, text } = await write('POST', '/plans.json', { name: `plan-${++count}`, ...more })
  assert.equal(status, 200, text)
  return json
}

/** What of the product the order and the version of its catalogue are. */
const catalogue = () =>
  app.ctx.db
    .selectFrom('products')
    .select(['plans', 'default_plan_id', 'catalogue_version as version'])
    .where('id', '=', app.seller.product.id)
    .executeTakeFirstOrThrow()

const lastEvent = async () => {
  const { json } = await read('/events.json?count=1')
  const { type, data, event_trigger: trigger } = json.events[0]
  return { type, data, trigger }
}

test('the first plan becomes the default one, and plans stand in the order they were made', async () => {
  const { plans } = (await read('/plans.json')).json
  assert.deepEqual(plans, [])
  const first = await create()
  const second = await create()
  const third = await create()
  const { plans: order, default_plan_id: byDefault } = await catalogue()
  assert.equal(order, [first.id, second.id, third.id].join(','))
  assert.equal(String(byDefault), first.id)
})

test('a created plan is read back by id and in the list, every field present and flat', async () => {
  const plan = await create({ title: 'Professional', trial_period: 14, support_email: 'help@example.com' })
  assert.deepEqual((await read(`/plans/${plan.id}.json`)).json, plan)
  const { plans } = (await read('/plans.json')).json
  assert.deepEqual(plans.at(-1), plan)
  assert.ok(plans.every((one: object) => Object.values(one).every((value) => !Array.isArray(value))))
  const { id: _, name: __, ...rest } = plan
  assert.deepEqual(rest, {
    created: '2026-01-31 10:00:00',
    updated: null,
    plugin_id: String(app.seller.product.id),
    title: 'Professional',
    description: null,
    is_free_localhost: true,
    is_block_features: true,
    is_block_features_monthly: true,
    license_type: 0,
    trial_period: 14,
    is_require_subscription: false,
    support_kb: null,
    support_forum: null,
    support_email: 'help@example.com',
    support_phone: null,
    is_success_manager: false,
    is_featured: false,
    is_hidden: false,
  })
  const data = { plan_id: plan.id }
  assert.deepEqual(await lastEvent(), { type: 'plan.created', data, trigger: 'developer' })
})

test('of name and title one is enough, and the name is a folded slug', async () => {
  const { json: titled } = await write('POST', '/plans.json', { title: 'Ultimate & More' })
  assert.deepEqual([titled.name, titled.title], ['ultimate-more', 'Ultimate & More'])
  const { json: named } = await write('POST', '/plans.json', { name: 'StarTer' })
  assert.deepEqual([named.name, named.title], ['starter', 'StarTer'])
})

test('a name is taken once in its product, whatever its case, and stays free in another', async () => {
  await create({ name: 'business' })
  const body = { name: 'BUSINESS' }
  const taken = await write('POST', '/plans.json', body)
  assert.deepEqual([taken.status, taken.json.error.code], [400, 'plan_name_taken'])
  const other = await developer('POST', `/products/${app.seller.other.id}/plans.json`, body)
  assert.equal(other.status, 200, other.text)
  const plan = await create()
  const before = await catalogue()
  const renamed = await write('PUT', `/plans/${plan.id}.json`, body)
  assert.deepEqual([renamed.status, renamed.json.error.code], [400, 'plan_name_taken'])
  assert.deepEqual(await catalogue(), before)
  assert.equal((await write('PUT', `/plans/${plan.id}.json`, { name: String(plan['name']) })).status, 200)
})

test('an update by PUT or POST writes what was given, and tells what was and what is', async () => {
  const plan = await create({ title: 'Old', trial_period: 7 })
  app.ctx.clock.advance(60_000)
  const texts = { title: 'New', name: 'renamed', support_email: 'help@example.com' }
  const change = { ...texts, trial_period: 0, is_hidden: true, is_block_features: 'false' }
  const { status, json } = await write('PUT', `/plans/${plan.id}.json`, change)
  assert.equal(status, 200)
  const after = { ...texts, trial_period: null, is_hidden: true, is_block_features: false }
  assert.deepEqual(json, { ...plan, ...after, updated: '2026-01-31 10:01:00' })
  assert.deepEqual((await read(`/plans/${plan.id}.json`)).json, json)
  const { name, support_email } = plan
  const former = { title: 'Old', name, support_email }
  const before = { ...former, trial_period: 7, is_hidden: false, is_block_features: true }
  const data = { plan_id: plan.id, from: before, to: after }
  assert.deepEqual(await lastEvent(), { type: 'plan.updated', data, trigger: 'developer' })
  const again = { title: 'Newer', name: 'renamed-again', support_email: 'more@example.com' }
  const posted = await write('POST', `/plans/${plan.id}.json?fields=title,name,support_email`, again)
  assert.deepEqual(posted.json, again)
})

test('an update of nothing writes and records nothing', async () => {
  const plan = await create({ title: 'Same' })
  const before = [await catalogue(), await lastEvent()]
  app.ctx.clock.advance(60_000)
  assert.deepEqual((await write('PUT', `/plans/${plan.id}.json`, { title: 'Same' })).json, plan)
  assert.deepEqual((await write('POST', `/plans/${plan.id}.json`)).json, plan)
  assert.deepEqual([await catalogue(), await lastEvent()], before)
})

test('the list shows the default plan first, then the order of the seller', async () => {
  const { json } = await read('/plans.json?fields=id')
  const ids: string[] = json.plans.map(({ id }: { id: string }) => id)
  const [first = '', second = '', ...rest] = ids
  const order = [...rest.toReversed(), second, first]
  const body = { plans: order.join(','), default_plan_id: second }
  assert.equal((await write('PUT', '.json', body)).status, 200)
  const { plans } = (await read('/plans.json')).json
  const shown = plans.map(({ id }: { id: string }) => id)
  assert.deepEqual(shown, [second, ...rest.toReversed(), first])
})

test('a deleted plan leaves list and order with its prices and features; the oldest that is left becomes default', async () => {
  const plan = await create()
  const { pricing } = (await write('POST', `/plans/${plan.id}/pricing.json`, { annual_price: 5 })).json
  const { id: feature } = (await write('POST', '/features.json', { title: 'Exports' })).json
  await write('PUT', `/plans/${plan.id}/features/${feature}.json`, { value: 'CSV' })
  const { plans: all } = await catalogue()
  await app.write(({ db }) =>
    db
      .updateTable('products')
      .set({ default_plan_id: Number(plan.id) })
      .where('id', '=', app.seller.product.id)
      .execute(),
  )
  assert.equal((await write('DELETE', `/plans/${plan.id}.json`)).status, 204)
  const after = await catalogue()
  const left = all.split(',').filter((id) => id !== plan.id)
  assert.equal(after.plans, left.join(','))
  assert.equal(after.default_plan_id, Math.min(...left.map(Number)))
  assert.equal((await read(`/plans/${plan.id}.json`)).status, 404)
  for (const table of ['pricing', 'feature_values'] as const) {
    const rows = await app.ctx.db
      .selectFrom(table)
      .select('id')
      .where('plan_id', '=', Number(plan.id))
      .execute()
    assert.deepEqual(rows, [], table)
  }
  assert.equal((await read(`/features/${feature}.json`)).status, 200)
  const { json } = await read('/events.json?count=2')
  const events = json.events.map(({ type, data }: { type: string; data: object }) => [type, data])
  assert.deepEqual(events, [
    ['plan.deleted', { plan_id: plan.id }],
    ['pricing.deleted', { pricing_id: pricing.id, plan_id: plan.id }],
  ])
  assert.equal((await write('DELETE', `/plans/${plan.id}.json`)).status, 404)
})

test('with the last plan the default goes too', async () => {
  const own: CallAs = (method, path, body) =>
    developer(method, `/products/${app.seller.other.id}${path}`, body)
  const { json } = await own('GET', '/plans.json')
  for (const { id } of json.plans) assert.equal((await own('DELETE', `/plans/${id}.json`)).status, 204)
  const { id } = (await own('POST', '/plans.json', { name: 'only' })).json
  const rowOf = () =>
    app.ctx.db
      .selectFrom('products')
      .select(['plans', 'default_plan_id'])
      .where('id', '=', app.seller.other.id)
      .executeTakeFirstOrThrow()
  assert.deepEqual({ ...(await rowOf()) }, { plans: id, default_plan_id: Number(id) })
  await own('DELETE', `/plans/${id}.json`)
  assert.deepEqual({ ...(await rowOf()) }, { plans: '', default_plan_id: null })
})

test('every write raises the version of the catalogue', async () => {
  const raised = async (work: () => Promise<{ status: number }>) => {
    const { version } = await catalogue()
    const { status } = await work()
    assert.ok(status < 300, String(status))
    assert.ok((await catalogue()).version > version)
  }
  const plan = await create()
  await raised(() => write('POST', '/plans.json', { name: 'raising' }))
  await raised(() => write('PUT', `/plans/${plan.id}.json`, { title: 'Raised' }))
  await raised(() => write('DELETE', `/plans/${plan.id}.json`))
})

test('bad input names every field and stores nothing', async () => {
  const { plans: before } = (await read('/plans.json')).json
  const bad = await write('POST', '/plans.json', {
    name: 'two words',
    title: '',
    trial_period: -1,
    license_type: 2,
    support_kb: 'javascript:alert(1)',
    support_email: 'nobody',
    is_featured: 'maybe',
  })
  assert.equal(bad.status, 400)
  const fields = [
    'is_featured',
    'license_type',
    'name',
    'support_email',
    'support_kb',
    'title',
    'trial_period',
  ]
  assert.deepEqual(fieldsOf(bad), fields)
  const none = await write('POST', '/plans.json', {})
  assert.equal(none.status, 402)
  assert.deepEqual(fieldsOf(none), ['name', 'title'])
  const unnamed = await write('POST', '/plans.json', { title: '!!!' })
  assert.equal(unnamed.status, 402)
  assert.deepEqual(fieldsOf(unnamed), ['name'])
  assert.deepEqual((await read('/plans.json')).json.plans, before)
})

test('what only the server writes is ignored in create and update (S05)', async () => {
  const output = {
    id: '999',
    plugin_id: '999',
    created: '2000-01-01 00:00:00',
    updated: '2000-01-01 00:00:00',
  }
  const plan = await create({ ...output, is_hidden: true })
  assert.deepEqual(
    [plan['plugin_id'], String(plan['created']).slice(0, 4), plan['updated'], plan['is_hidden']],
    [String(app.seller.product.id), '2026', null, false],
  )
  const updated = await write('PUT', `/plans/${plan.id}.json`, output)
  assert.deepEqual(updated.json, plan)
})

test("another product's plan is not found, and changed by nobody else", async () => {
  const { json: other } = await developer('POST', `/products/${app.seller.other.id}/plans.json`, {
    name: 'theirs',
  })
  assert.equal((await read(`/plans/${other.id}.json`)).status, 404)
  for (const method of ['PUT', 'POST', 'DELETE'] as const) {
    const body = method === 'DELETE' ? undefined : { title: 'Mine' }
    assert.equal((await write(method, `/plans/${other.id}.json`, body)).status, 404, method)
  }
  const still = await developer('GET', `/products/${app.seller.other.id}/plans/${other.id}.json`)
  assert.deepEqual(still.json, other)
})

test('plans are written in developer scope alone, and read with the public key too', async () => {
  const plan = await create()
  const { product } = app.seller
  const store = asStore(app)
  for (const [method, path] of [
    ['POST', '/plans.json'],
    ['PUT', `/plans/${plan.id}.json`],
    ['DELETE', `/plans/${plan.id}.json`],
  ] as const) {
    const body = method === 'DELETE' ? {} : { body: { name: 'other' } }
    assert.equal((await app.call(method, `/products/${product.id}${path}`, body)).status, 401)
    const inStore = await store(method, `/products/${product.id}${path}`, { name: 'other' })
    assert.equal(inStore.status, 401)
  }
  const anyone = asPublic(app)
  assert.deepEqual((await anyone('GET', `/plans/${plan.id}.json`)).json, plan)
  assert.equal((await anyone('GET', '/plans.json')).status, 200)
  const user = await app.call('POST', `/products/${product.id}/users.json`, {
    body: { email: 'reader@example.com', name: 'Rea Der' },
  })
  assert.equal(user.status, 200)
})
