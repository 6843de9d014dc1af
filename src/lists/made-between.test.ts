import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper } from '../../test/callers.ts'
import { visit } from '../../test/carts.ts'
import { createInstallOf, createOwner } from '../../test/installs.ts'
import { sell } from '../../test/sales.ts'
import { unscoped } from '../db/scoped.ts'
import { DAY, toUtcTime, type UtcTime } from '../lib/time.ts'

const LISTS = ['licenses', 'subscriptions', 'users', 'installs', 'carts', 'events'] as const

/** Those that an account has over its products. */
const OF_ACCOUNT = ['licenses', 'subscriptions', 'users'] as const

let app: TestApp
before(async () => {
  app = await startTestApp('made_between')
  for (const day of [0, 1, 2]) {
    await sell(app)
    await createInstallOf(app, await createOwner(app))
    await visit(app, { email: `day-${day}@example.com` })
    app.ctx.clock.advance(DAY)
  }
})
after(() => app.close())

const dayOf = (day: number) => toUtcTime(START + day * DAY).slice(0, 10)

interface Made {
  readonly created: string
}

const path = (list: string, query: string) =>
  `/products/${app.seller.product.id}/${list}.json?count=50&${query}`

for (const list of [...LISTS, 'payments'] as const) {
  test(`${list} come the oldest first when they are sorted so, page by page, in a span too`, async () => {
    for (const span of ['', `&from=${dayOf(0)}`, `&to=${dayOf(1)}`]) {
      const idsOf = async (query: string) => {
        const base = `/products/${app.seller.product.id}/${list}.json`
        const { status, json } = await app.call('GET', `${base}?${query}${span}`)
        assert.equal(status, 200)
        return (json[list] as { readonly id: string }[]).map(({ id }) => id)
      }
      const newest = await idsOf('count=50')
      assert.ok(newest.length > 1)
      assert.deepEqual(
        newest,
        newest.toSorted((a, b) => Number(b) - Number(a)),
      )
      assert.deepEqual(await idsOf('count=50&sort=-id'), newest)
      const pages = [await idsOf('sort=id&count=1'), await idsOf('sort=id&count=49&offset=1')]
      assert.deepEqual(pages.flat(), newest.toReversed(), span)
    }
    const { status, json } = await app.call('GET', path(list, 'sort=price'))
    assert.equal(status, 400)
    assert.equal(json.error.details[0].field, 'sort')
  })
}

for (const list of LISTS) {
  const daysIn = async (query: string) => {
    const { status, json } = await app.call('GET', path(list, query))
    assert.equal(status, 200)
    return [...new Set((json[list] as Made[]).map(({ created }) => created.slice(0, 10)))]
  }

  test(`${list} are narrowed to what was made from one day to another, both of them in it`, async () => {
    assert.deepEqual(await daysIn(''), [dayOf(2), dayOf(1), dayOf(0)])
    assert.deepEqual(await daysIn(`from=${dayOf(1)}`), [dayOf(2), dayOf(1)])
    assert.deepEqual(await daysIn(`to=${dayOf(1)}`), [dayOf(1), dayOf(0)])
    assert.deepEqual(await daysIn(`from=${dayOf(1)}&to=${dayOf(1)}`), [dayOf(1)])
    assert.deepEqual(await daysIn(`from=${dayOf(3)}`), [])
    assert.deepEqual(await daysIn(`from=${encodeURIComponent(`${dayOf(2)} 23:59:59`)}`), [])
  })

  test(`a day that there is none of is 400 in the list of ${list}`, async () => {
    const { status, json } = await app.call('GET', path(list, 'from=2026-02-30&to=yesterday'))
    assert.equal(status, 400)
    const fields = json.error.details.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.toSorted(), ['from', 'to'])
  })
}

test('lists over all products of an account are in the order that is asked for', async () => {
  const account = await asDeveloper(app)
  const named = `product_ids=${app.seller.product.id}&`
  for (const [list, query] of [...OF_ACCOUNT, 'payments']
    .map((one) => [one, ''])
    .concat([['events', named]])) {
    for (const span of ['', `&from=${dayOf(0)}`]) {
      const idsOf = async (sort: string) => {
        const { json } = await account('GET', `/${list}.json?${query}count=50&sort=${sort}${span}`)
        return (json[list ?? ''] as { readonly id: string }[]).map(({ id }) => Number(id))
      }
      const newest = await idsOf('-id')
      assert.ok(newest.length > 1, list)
      assert.deepEqual(
        newest,
        newest.toSorted((a, b) => b - a),
        list,
      )
      assert.deepEqual(await idsOf('id'), newest.toReversed(), list)
    }
  }
  const [oldest] = (await account('GET', '/events.json?sort=id')).json.events
  const newest = (await account('GET', '/events.json?count=50')).json.events
  assert.equal(newest.at(-1)?.id, oldest?.id)
})

test('lists over all products of an account are narrowed so too', async () => {
  const account = await asDeveloper(app)
  for (const list of OF_ACCOUNT) {
    const { json } = await account('GET', `/${list}.json?from=${dayOf(1)}&to=${dayOf(1)}`)
    const days = new Set((json[list] as Made[]).map(({ created }) => created.slice(0, 10)))
    assert.deepEqual([...days], [dayOf(1)], list)
  }
  const events = `/events.json?product_ids=${app.seller.product.id}&from=${dayOf(2)}`
  const { json } = await account('GET', events)
  const found = json.events as Made[]
  assert.ok(found.length > 0 && found.every(({ created }) => created >= dayOf(2)))
})

test('in a span what was made last comes first, whatever its id', async () => {
  const path = `/products/${app.seller.product.id}/licenses.json`
  const { json } = await app.call('GET', `${path}?count=50`)
  const [last] = json.licenses as [Made & { readonly id: number }]
  await app.ctx.database.transaction((db) =>
    unscoped(db, 'a license that was imported later than it was made')
      .updateTable('licenses')
      .set({ created: `${dayOf(0)} 00:00:00` as UtcTime })
      .where('id', '=', last.id)
      .execute(),
  )
  const spanned = await app.call('GET', `${path}?count=50&from=${dayOf(0)}`)
  const made = (spanned.json.licenses as Made[]).map(({ created }) => created)
  assert.deepEqual(made, made.toSorted().toReversed())
  assert.equal(spanned.json.licenses.at(-1).id, last.id)
})

test('users of all products come in the order in which they became users of each, page by page', async () => {
  app.ctx.clock.advance(DAY)
  const account = await asDeveloper(app)
  const { product, other } = app.seller
  const oldest = await account('GET', `/products/${product.id}/users.json?sort=id&count=1`)
  const [{ id, email }] = oldest.json.users
  const joined = await account('POST', `/products/${other.id}/users.json`, { email, name: 'Old Person' })
  assert.equal(joined.status, 200, joined.text)
  const listed = async (query: string) => {
    const { json } = await account('GET', `/users.json?from=${dayOf(0)}&${query}`)
    return (json.users as { readonly id: string; readonly plugin_id: string }[]).map(
      (user) => `${user.plugin_id} ${user.id}`,
    )
  }
  const all = await listed('count=50')
  assert.equal(all[0], `${other.id} ${id}`)
  const pages = await Promise.all(all.map((_, offset) => listed(`count=1&offset=${offset}`)))
  assert.deepEqual(pages.flat(), all)
  assert.deepEqual((await listed('count=50&sort=id')).toReversed(), all)
})
