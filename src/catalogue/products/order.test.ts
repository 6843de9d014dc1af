import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('products_order')
})
after(() => app.close())

const product = () => app.call('GET', `/products/${app.seller.product.id}.json`)
const update = (body: object) => app.call('PUT', `/products/${app.seller.product.id}.json`, { body })
const fieldsOf = ({ json }: Reply) =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted()

const addPlan = (productId: number, name: string) =>
  app.write(async ({ db }) => {
    const flags = {
      is_free_localhost: true,
      is_block_features: true,
      is_block_features_monthly: true,
    } as const
    const more = {
      is_require_subscription: false,
      is_success_manager: false,
      is_featured: false,
      is_hidden: false,
    } as const
    const none = { description: null, trial_period: null, support_kb: null, support_forum: null } as const
    const row = {
      ...flags,
      ...more,
      ...none,
      support_email: null,
      support_phone: null,
      license_type: 0,
    } as const
    const { id } = await db
      .insertInto('plans')
      .values({ ...row, product_id: productId, name, title: name, created: '' as never, updated: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })

const addFeature = (productId: number, title: string) =>
  app.write(async ({ db }) => {
    const row = { product_id: productId, title, description: '', is_featured: false, updated: null } as const
    const { id } = await db
      .insertInto('features')
      .values({ ...row, created: '' as never })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })

test('an order of plans or features holds ids of the product, and is completed by those it leaves out', async () => {
  const { id } = app.seller.product
  const plans = [await addPlan(id, 'one'), await addPlan(id, 'two'), await addPlan(id, 'three')]
  const features = [await addFeature(id, 'a'), await addFeature(id, 'b')]
  const foreign = await addPlan(app.seller.other.id, 'theirs')
  const [one, two, three] = plans
  const [a, b] = features
  assert.equal((await update({ plans: `${three},${one}` })).json.plans, `${three},${one},${two}`)
  assert.equal((await update({ plans: `${two}` })).json.plans, `${two},${three},${one}`)
  assert.equal((await update({ plans: '' })).json.plans, `${two},${three},${one}`)
  assert.equal((await update({ features: ` ${b} , ${a}` })).json.features, `${b},${a}`)
  const before = (await product()).json
  for (const bad of [`${one},${foreign}`, `${one},987654321`]) {
    const reply = await update({ title: 'Not stored', plans: bad, features: bad, default_plan_id: foreign })
    assert.equal(reply.status, 400, bad)
    assert.deepEqual(fieldsOf(reply), ['default_plan_id', 'features', 'plans'], bad)
  }
  for (const bad of [`${one},${one}`, 'x', `${one},`, `-${one}`, '1.5']) {
    const reply = await update({ title: 'Not stored', plans: bad, features: bad })
    assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['features', 'plans']], bad)
  }
  assert.deepEqual((await product()).json, before)
  assert.equal((await update({ default_plan_id: String(two) })).json.default_plan_id, String(two))
})

test('renewals are discounted by at most the whole price, also when only the kind of discount changes', async () => {
  assert.equal(
    (await update({ annual_renewals_discount: 100, renewals_discount_type: 'percentage' })).status,
    200,
  )
  assert.deepEqual(fieldsOf(await update({ annual_renewals_discount: 100.5 })), ['annual_renewals_discount'])
  assert.equal(
    (await update({ annual_renewals_discount: 150, renewals_discount_type: 'dollar' })).status,
    200,
  )
  assert.deepEqual(fieldsOf(await update({ renewals_discount_type: 'percentage' })), [
    'annual_renewals_discount',
  ])
  assert.equal((await product()).json.renewals_discount_type, 'dollar')
})

test('orders written while plans are added lose none', async () => {
  const { id } = app.seller.other
  const first = await addPlan(id, 'race')
  const write = (body: object) =>
    app.call('PUT', `/products/${id}.json`, { body, token: app.seller.other.token })
  const [, , ...replies] = await Promise.all([
    addPlan(id, 'race 2'),
    addPlan(id, 'race 3'),
    write({ plans: `${first}` }),
    write({ title: 'Second' }),
    write({ plans: `${first}` }),
  ])
  for (const { status } of replies) assert.equal(status, 200)
  const { plans } = (await write({ plans: '' })).json
  const known = await app.ctx.db.selectFrom('plans').select('id').where('product_id', '=', id).execute()
  const ids = String(plans).split(',').map(Number)
  assert.deepEqual(
    ids.toSorted((x, y) => x - y),
    known.map((row) => row.id).toSorted((x, y) => x - y),
  )
})
