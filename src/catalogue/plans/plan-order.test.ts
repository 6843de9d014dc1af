import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
let ids: string[] = []
const path = (rest: string) => `/products/${app.seller.product.id}${rest}`
let count = 0
const create = async (): Promise<string> =>
  (await developer('POST', path('/plans.json'), { name: `plan-${++count}` })).json.id
before(async () => {
  app = await startTestApp('plan-order')
  developer = await asDeveloper(app)
  ids = [await create(), await create(), await create()]
})
after(() => app.close())

const order = (some: readonly string[]) =>
  developer('PUT', path('/plans/order.json'), { ids: some.join(',') })
const listed = async (): Promise<string[]> =>
  (await app.call('GET', path('/plans.json'))).json.plans.map(({ id }: { id: string }) => id)
const version = async () => {
  const product = app.ctx.db.selectFrom('products').select('catalogue_version as version')
  return (await product.where('id', '=', app.seller.product.id).executeTakeFirstOrThrow()).version
}
beforeEach(async () => void (await order(ids)))

test('plans stand in the order that is written, the default one first, in the pricing table too', async () => {
  const [first = '', second = '', third = ''] = ids
  const visitor = await asPublic(app)
  const priced = async () =>
    (await visitor('GET', '/pricing.json')).json.plans.map(({ id }: { id: string }) => id)
  assert.deepEqual(await priced(), [first, second, third])
  const before = await version()
  const { status, json, text } = await order([first, third, second])
  assert.equal(status, 200, text)
  assert.deepEqual(
    json.plans.map(({ id }: { id: string }) => id),
    [first, third, second],
  )
  assert.deepEqual(await listed(), [first, third, second])
  assert.equal(await version(), before + 1)
  assert.deepEqual(await priced(), [first, third, second])
  await order([third, second, first])
  assert.deepEqual(await listed(), [first, third, second])
})

test('an order names each plan of the product once, else it says what is missing or unknown, and changes nothing', async () => {
  const [first = '', second = '', third = ''] = ids
  const before = await version()
  const { status, json, text } = await order([first, '999999', second])
  assert.deepEqual([status, json.error.code], [400, 'plan_order_mismatch'])
  assert.ok(json.error.message.includes(`missing: ${third}; unknown: 999999`), text)
  assert.equal((await order([first, second, third, second])).status, 400)
  assert.deepEqual(await listed(), ids)
  assert.equal(await version(), before)
})

test('each plan whose place changes has its event, and the order that stands has none', async () => {
  const [first = '', second = '', third = ''] = ids
  const events = async () =>
    (await app.call('GET', path('/events.json?type=plan.updated&count=50'))).json.events
  const before = (await events()).length
  await order([first, third, second])
  const told = (await events()).slice(0, -before || undefined)
  assert.deepEqual(
    told
      .map(({ data }: { data: object }) => data)
      .toSorted((a: { plan_id: string }, b: { plan_id: string }) => Number(a.plan_id) - Number(b.plan_id)),
    [
      { plan_id: second, from: { place: 2 }, to: { place: 3 } },
      { plan_id: third, from: { place: 3 }, to: { place: 2 } },
    ],
  )
  await order([first, third, second])
  assert.equal((await events()).length, before + told.length)
})

test('of the plans that were put in an order the fields are answered that are asked for', async () => {
  const body = { ids: ids.join(',') }
  const { json } = await developer('PUT', path('/plans/order.json?fields=id'), body)
  assert.deepEqual(
    json.plans,
    ids.map((id) => ({ id })),
  )
})
