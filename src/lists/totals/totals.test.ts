import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { demoContext } from '../../../test/demo.ts'
import { userOf } from '../../../test/licenses.ts'
import { LIST_FILTERS } from '../../../test/list-filters.ts'
import { asMember } from '../../../test/team.ts'
import { systemScope } from '../../access/scope.ts'
import { decode, Problems } from '../../http/decode.ts'
import { LIST_KINDS, listOf } from '../exports/kinds.ts'
import { MOST } from './schema.ts'
import { getTotal } from './service.ts'

let app: TestApp
let owner: CallAs
before(async () => {
  app = await startTestApp('totals')
  owner = await asDeveloper(app)
})
after(() => app.close())

const KINDS = LIST_KINDS.filter((kind) => kind !== 'audit')

const totalOf = (kind: string, filter?: object, by = owner, product = app.seller.product.id) => {
  const narrowed = filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}` : ''
  return by('GET', `/products/${product}/list_total.json?kind=${kind}${narrowed}`)
}

const eventsOf = async (type: string) => (await totalOf('events', { type })).json

/** Adds so many events of a type to a product. */
const addEvents = (count: number, { product = app.seller.product.id, type = 'cart.created' } = {}) =>
  app.write(({ db }) =>
    sql`insert into events (developer_id, product_id, type, data, event_trigger, state, created)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.raw(String(count))})
      select ${sql.raw(`${app.seller.developer.id}, ${product}, '${type}'`)}, '{}', 'system', 'processed',
        '2026-01-31 10:00:00' from n`.execute(db),
  )

test('a list of the demo has as many rows as are told, whatever it is narrowed by', async () => {
  const { ctx, demo, drop } = await demoContext('totals_of_demo')
  try {
    for (const kind of KINDS) {
      for (const filter of LIST_FILTERS[kind]) {
        const { op, more, isOfProducts } = listOf(ctx, kind, true)
        const productId = isOfProducts ? demo.productId : 0
        const scope = systemScope({ developerId: demo.developerId, productId })
        const query = decode(op.query ?? assert.fail(), filter, 'text', new Problems())
        const request = { scope, params: {}, query: { ...query, ...more, count: MOST, offset: 0 } }
        const reply = await op.handle(ctx as never, request as never, undefined as never)
        const all = (reply as Readonly<Record<string, readonly unknown[]>>)[op.items ?? ''] ?? assert.fail()
        const asked = { scope, query: { kind, filter: JSON.stringify(filter) } }
        const { total, is_more: isMore } = await getTotal(ctx, asked)
        assert.deepEqual([total, isMore], [all.length, false], `${kind} ${JSON.stringify(filter)}`)
      }
    }
  } finally {
    await drop()
  }
})

test('the total of a list is exact at each size, and of its product alone', async () => {
  const { other } = app.seller
  await addEvents(30, { product: other.id, type: 'cart.updated' })
  const told = () => eventsOf('cart.updated')
  assert.deepEqual(await told(), { total: 0, is_more: false })
  let count = 0
  for (const size of [1, 2, 99, 100, 101, 999, 1_000, 1_001]) {
    await addEvents(size - count, { type: 'cart.updated' })
    count = size
    assert.deepEqual(await told(), { total: size, is_more: false })
  }
})

test('a total is exact up to 10,000, and more than that is said to be more', async () => {
  const told = () => eventsOf('cart.created')
  await addEvents(MOST - 1)
  assert.deepEqual(await told(), { total: MOST - 1, is_more: false })
  await addEvents(1)
  assert.deepEqual(await told(), { total: MOST, is_more: false })
  await addEvents(1)
  assert.deepEqual(await told(), { total: MOST, is_more: true })
  await addEvents(5_000)
  assert.deepEqual(await told(), { total: MOST, is_more: true })
})

test('a total is told to who may read the list, and to nobody else', async () => {
  await userOf(app, 'counted@example.com')
  assert.equal((await totalOf('users')).json.total, 1)
  assert.equal((await totalOf('users', undefined, owner, app.seller.other.id)).json.total, 0)
  const analyst = await asMember(app, 'support')
  assert.equal((await totalOf('users', undefined, analyst)).status, 200)
  const developer = await asMember(app, 'developer')
  const refused = await totalOf('payments', undefined, developer)
  assert.deepEqual([refused.status, refused.json.error?.code], [401, 'role_not_allowed'])
})

test('a token that is narrowed to a product is told how many rows that one has, and nothing of the account', async () => {
  const { product, other } = app.seller
  const made = await owner('POST', '/tokens.json', { name: 'Narrow', product_ids: String(product.id) })
  assert.equal(made.status, 201, made.text)
  const narrow = async (kind: string, filter = '{}') => {
    const path = `/developers/${app.seller.developer.id}/list_total.json?kind=${kind}&filter=${filter}`
    return app.call('GET', path, { token: made.json.token })
  }
  await userOf(app, 'narrow@example.com')
  const { total } = (await totalOf('users')).json
  assert.equal((await narrow('users')).json.total, total)
  assert.equal((await narrow('users', `{"product_ids":"${other.id}"}`)).json.total, 0)
  assert.equal((await narrow('products')).json.total, 1)
  const stores = await narrow('stores')
  assert.deepEqual([stores.status, stores.json.error?.code], [401, 'token_not_allowed'])
})

test('a total names each part of a filter that its list has not', async () => {
  const wrong = await totalOf('licenses', { filter: 'no such', colour: 'red', quota: 3 })
  assert.equal(wrong.status, 400)
  const fields = wrong.json.error.details.map(({ field }: { field: string }) => field).toSorted()
  assert.deepEqual(fields, ['filter.colour', 'filter.filter', 'filter.quota'])
  const { product } = app.seller
  for (const text of ['[]', 'null', '{', '7']) {
    const reply = await owner(
      'GET',
      `/products/${product.id}/list_total.json?kind=users&filter=${encodeURIComponent(text)}`,
    )
    assert.deepEqual([reply.status, reply.json.error.details[0].field], [400, 'filter'], text)
  }
  assert.equal((await totalOf('audit')).status, 400)
})
