import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper, asPublic, type CallAs } from '../../test/callers.ts'
import { createSeller } from '../../test/factories.ts'
import { mailAbout } from '../../test/mails.ts'
import { sell } from '../../test/sales.ts'
import { createTriedWebhook } from '../../test/webhooks.ts'
import { systemScope } from '../access/scope.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { openDispute } from '../sales/refunds/disputes.ts'

const LISTS = ['reviews', 'disputes', 'mails', 'webhooks', 'deliveries'] as const
const DAYS = [0, 1, 2]

let app: TestApp
let account: CallAs
before(async () => {
  app = await startTestApp('sorted_lists')
  const { other } = app.seller
  const seller = await app.write((tx) => createSeller(tx, 'another@example.com'))
  for (const _ of DAYS) {
    await fill(app)
    await fill({ ...app, seller: { ...app.seller, product: other } } as TestApp)
    await fill({ ...app, seller } as TestApp)
    await disputed(app, 1)
    app.ctx.clock.advance(DAY)
  }
  account = await asDeveloper(app)
})
after(() => app.close())

/** One row of each list in the product of a seller. */
async function fill(of: TestApp): Promise<void> {
  const { developer, product } = of.seller
  const place = { developerId: developer.id, productId: product.id }
  const owner = await asDeveloper(of, developer)
  const review = { rate: 90, name: 'Ada', text: 'Does what it says.' }
  const written = await owner('POST', `/products/${product.id}/reviews.json`, review)
  assert.equal(written.status, 200, written.text)
  const user = await disputed(of, 0)
  await app.write(async (tx) => {
    await createTriedWebhook(tx, systemScope(place))
    await mailAbout(tx, place, user)
  })
}

/** A payment of the product that is disputed; its user. */
async function disputed(of: TestApp, environment: 0 | 1): Promise<number> {
  const { developer, product } = of.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const { payment } = await sell(of, { product, payment: { environment } })
  await app.write((tx) => openDispute(tx, scope, { paymentId: payment.id, minor: 5999, fee: 1500 }))
  return payment.user_id
}

const dayOf = (day: number) => toUtcTime(START + day * DAY).slice(0, 10)

interface Made {
  readonly id: string
  readonly created: string
  readonly environment?: 0 | 1
}

async function listed(list: string, query: string, place = `/products/${app.seller.product.id}`) {
  const reply = await account(
    'GET',
    `${place}/${list}.json?${query.includes('count=') ? '' : 'count=50&'}${query}`,
  )
  assert.equal(reply.status, 200, reply.text)
  return reply.json[list === 'products' ? 'plugins' : list] as readonly Made[]
}

const idsOf = async (list: string, query: string, place?: string) =>
  (await listed(list, query, place)).map(({ id }) => Number(id))

async function totalOf(kind: string, filter: object, place = `/products/${app.seller.product.id}`) {
  const narrowed = encodeURIComponent(JSON.stringify(filter))
  const reply = await account('GET', `${place}/list_total.json?kind=${kind}&filter=${narrowed}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.total as number
}

const newestFirst = (ids: readonly number[]) => ids.toSorted((a, b) => b - a)

for (const list of LISTS) {
  test(`${list} come the oldest first when they are sorted so, page by page, in a span too`, async () => {
    for (const span of ['', `&from=${dayOf(0)}`, `&to=${dayOf(1)}`]) {
      const newest = await idsOf(list, span)
      assert.ok(newest.length > 1)
      assert.deepEqual(newest, newestFirst(newest))
      assert.deepEqual(await idsOf(list, `sort=-id${span}`), newest)
      assert.deepEqual(await idsOf(list, `sort=id${span}`), newest.toReversed())
      const pages = newest.map((_, offset) => idsOf(list, `sort=id&count=1&offset=${offset}${span}`))
      assert.deepEqual((await Promise.all(pages)).flat(), newest.toReversed(), span)
    }
    const reply = await account('GET', `/products/${app.seller.product.id}/${list}.json?sort=price`)
    assert.deepEqual([reply.status, reply.json.error.details[0].field], [400, 'sort'])
  })

  test(`${list} are narrowed to what was made from one day to another, both of them in it, and counted so`, async () => {
    const days = async (query: string) => {
      const rows = await listed(list, query)
      const filter = Object.fromEntries(new URLSearchParams(query))
      assert.equal(await totalOf(list, filter), rows.length, `the total of ${query}`)
      return [...new Set(rows.map(({ created }) => created.slice(0, 10)))]
    }
    assert.deepEqual(await days(''), [dayOf(2), dayOf(1), dayOf(0)])
    assert.deepEqual(await days(`from=${dayOf(1)}`), [dayOf(2), dayOf(1)])
    assert.deepEqual(await days(`to=${dayOf(1)}`), [dayOf(1), dayOf(0)])
    assert.deepEqual(await days(`from=${dayOf(1)}&to=${dayOf(1)}`), [dayOf(1)])
    assert.deepEqual(await days(`from=${dayOf(3)}`), [])
    assert.deepEqual(await days(`from=${encodeURIComponent(`${dayOf(2)} 23:59:59`)}`), [])
    const wrong = `/products/${app.seller.product.id}/${list}.json?from=2026-02-30&to=yesterday`
    const { status, json } = await account('GET', wrong)
    assert.equal(status, 400)
    const fields = json.error.details.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.toSorted(), ['from', 'to'])
  })

  test(`the total of ${list} has those of its product alone, and over the account those of its products`, async () => {
    const own = (await listed(list, '')).length
    const other = (await listed(list, '', `/products/${app.seller.other.id}`)).length
    assert.ok(own > 0 && other > 0)
    assert.equal(await totalOf(list, {}), own)
    assert.equal(await totalOf(list, {}, ''), own + other)
    assert.equal(await totalOf(list, { product_ids: String(app.seller.other.id) }, ''), other)
    assert.equal(await totalOf(list, { product_ids: '999999' }, ''), 0)
  })
}

test('disputes of the sandbox are counted apart, over the account too', async () => {
  for (const place of [undefined, '']) {
    const counts = [0, 1].map((environment) => totalOf('disputes', { environment }, place))
    assert.deepEqual(await Promise.all(counts), [place === '' ? 6 : 3, 3])
  }
  assert.deepEqual(
    (await listed('disputes', `environment=1&from=${dayOf(1)}`)).map(({ environment }) => environment),
    [1, 1],
  )
})

test('disputes over all products are sorted and narrowed as those of one', async () => {
  const newest = await idsOf('disputes', '', '')
  assert.deepEqual(newest, newestFirst(newest))
  assert.deepEqual(await idsOf('disputes', 'sort=id', ''), newest.toReversed())
  const days = (await listed('disputes', `from=${dayOf(1)}&to=${dayOf(1)}&sort=id`, '')).map(({ created }) =>
    created.slice(0, 10),
  )
  assert.deepEqual(days, [dayOf(1), dayOf(1), dayOf(1)])
})

test('attempts and deliveries of a listener come the oldest first when they are sorted so', async () => {
  const [{ id: first }] = (await listed('webhooks', '')) as [Made]
  const { product } = app.seller
  const sent = await account('POST', `/products/${product.id}/webhooks/${first}/test.json`)
  assert.equal(sent.status, 200, sent.text)
  const of = `/products/${product.id}/webhooks/${first}`
  const newest = await idsOf('deliveries', '', of)
  assert.ok(newest.length > 1)
  assert.deepEqual(newest, newestFirst(newest))
  assert.deepEqual(await idsOf('deliveries', 'sort=id', of), newest.toReversed())
  const { id: _, ...again } = await app.ctx.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('webhook_id', '=', Number(first))
    .executeTakeFirstOrThrow()
  await app.write(({ db }) => db.insertInto('delivery_attempts').values(again).execute())
  const attempts = await idsOf('attempts', '', of)
  assert.equal(attempts.length, 2)
  assert.deepEqual(attempts, newestFirst(attempts))
  assert.deepEqual(await idsOf('attempts', 'sort=id', of), attempts.toReversed())
})

for (const list of ['products', 'stores'] as const) {
  test(`${list} are sorted by title, whatever its case, or by age, narrowed to days, and counted`, async () => {
    const before = (await listed(list, '', '')).length
    for (const title of ['Zebra', 'apple', 'mango']) {
      app.ctx.clock.advance(DAY)
      account = await asDeveloper(app)
      const { status, text } = await account('POST', `/${list}.json`, { title })
      assert.ok(status < 300, text)
    }
    const titlesOf = async (query: string) =>
      ((await listed(list, query, '')) as unknown as readonly { title: string }[]).map(({ title }) => title)
    const shown = async (query: string) =>
      (await titlesOf(query)).filter((title) => ['Zebra', 'apple', 'mango'].includes(title))
    assert.deepEqual(await shown(''), ['mango', 'apple', 'Zebra'])
    assert.deepEqual(await shown('sort=id'), ['Zebra', 'apple', 'mango'])
    assert.deepEqual(await shown('sort=title'), ['apple', 'mango', 'Zebra'])
    assert.deepEqual(await shown('sort=-title'), ['Zebra', 'mango', 'apple'])
    const [{ created }] = (await listed(list, '', '')) as [Made]
    const day = created.slice(0, 10)
    assert.deepEqual(await titlesOf(`from=${day}`), ['mango'])
    assert.equal(await totalOf(list, { from: day }, ''), 1)
    assert.equal(await totalOf(list, {}, ''), before + 3)
    const { product } = app.seller
    const refused = await account('GET', `/products/${product.id}/list_total.json?kind=${list}`)
    assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'kind'])
  })
}

test('coupons are sorted by code or by age, also those that a search finds', async () => {
  const { product } = app.seller
  for (const code of ['ZEBRA', 'APPLE', 'MANGO']) {
    const body = { code, discount: 10, discount_type: 'percentage' }
    const { status, text } = await account('POST', `/products/${product.id}/coupons.json`, body)
    assert.equal(status, 201, text)
  }
  const codes = async (query: string) =>
    ((await listed('coupons', query)) as unknown as readonly { code: string }[]).map(({ code }) => code)
  assert.deepEqual(await codes(''), ['MANGO', 'APPLE', 'ZEBRA'])
  assert.deepEqual(await codes('sort=id'), ['ZEBRA', 'APPLE', 'MANGO'])
  assert.deepEqual(await codes('sort=code'), ['APPLE', 'MANGO', 'ZEBRA'])
  assert.deepEqual(await codes('sort=-code'), ['ZEBRA', 'MANGO', 'APPLE'])
  assert.deepEqual(await codes('sort=-code&search=a&count=2'), ['ZEBRA', 'MANGO'])
  assert.deepEqual(await codes('prefix=&sort=-id'), ['MANGO', 'APPLE', 'ZEBRA'])
})

test('who has the public key alone is shown reviews of a span in the order that is asked for', async () => {
  const newest = await idsOf('reviews', `to=${dayOf(1)}`)
  const shown = await asPublic(app)('GET', `/reviews.json?sort=id&to=${dayOf(1)}`)
  const ids = shown.json.reviews?.map(({ id }: Made) => Number(id))
  assert.deepEqual(ids, newest.toReversed(), shown.text)
})
