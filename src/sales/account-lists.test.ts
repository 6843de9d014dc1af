import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper, type CallAs } from '../../test/callers.ts'
import { createSeller } from '../../test/factories.ts'
import { sell } from '../../test/sales.ts'
import { asMember } from '../../test/team.ts'

type Sale = Awaited<ReturnType<typeof sell>>

let app: TestApp
let call: CallAs
/** In the first product, cancelled; in the second; and by the month in the sandbox of the first. */
let sales: readonly [Sale, Sale, Sale]
let ids: { readonly first: number; readonly second: number; readonly foreign: number }

before(async () => {
  app = await startTestApp('account_lists')
  const foreign = await app.write((tx) => createSeller(tx, 'another@example.com'))
  const ofForeign = { ...app, seller: foreign } as TestApp
  const { product, other } = app.seller
  const place = { environment: 1 } as const
  const sold = [
    await sell(app, { product }),
    await sell(app, { product: other }),
    await sell(app, { product, payment: place, subscription: { ...place, billing_cycle: 1 } }),
  ] as const
  await sell(ofForeign, { product: foreign.product })
  await app.write((tx) =>
    tx.db.updateTable('licenses').set(place).where('id', '=', Number(sold[2].license.id)).execute(),
  )
  const cancelled = { canceled_at: app.ctx.clock.now(), next_payment: null }
  await app.write((tx) =>
    tx.db.updateTable('subscriptions').set(cancelled).where('id', '=', sold[0].subscription.id).execute(),
  )
  sales = sold
  ids = { first: product.id, second: other.id, foreign: foreign.product.id }
  call = await asDeveloper(app)
})
after(() => app.close())

const LISTS = ['licenses', 'users', 'payments', 'subscriptions'] as const
type List = (typeof LISTS)[number]

const idOf = ({ license, owner, payment, subscription }: Sale, list: List): string =>
  String({ licenses: license, users: owner, payments: payment, subscriptions: subscription }[list].id)

async function listed(list: string, query = '', as: CallAs = call): Promise<string[]> {
  const { status, json, text } = await as('GET', `/${list}.json?${query}`)
  assert.equal(status, 200, text)
  return json[list].map(({ id }: { id: string }) => id)
}

test('licenses, users, payments and subscriptions of all products are listed, newest first, none of another seller', async () => {
  for (const list of LISTS) {
    const [one, two, three] = sales.map((sale) => idOf(sale, list))
    assert.deepEqual(await listed(list), [three, two, one], list)
    assert.deepEqual(await listed(list, 'count=1'), [three])
    assert.deepEqual(await listed(list, 'count=1&offset=1'), [two])
    assert.deepEqual(await listed(list, 'count=2&offset=2'), [one])
    assert.deepEqual(await listed(list, 'offset=1001'), [])
  }
})

test('product_ids keeps the products that are named and the seller has', async () => {
  for (const list of LISTS) {
    const [one, two, three] = sales.map((sale) => idOf(sale, list))
    assert.deepEqual(await listed(list, `product_ids=${ids.first}`), [three, one], list)
    assert.deepEqual(await listed(list, `product_ids=${ids.second},${ids.first}`), [three, two, one])
    assert.deepEqual(await listed(list, `product_ids=${ids.second},${ids.foreign}`), [two])
    assert.deepEqual(await listed(list, `product_ids=${ids.foreign}`), [])
    assert.equal((await call('GET', `/${list}.json?product_ids=one`)).status, 400)
  }
})

test('the filters of the list of a product narrow over all of them', async () => {
  const [one, two, three] = sales
  const narrowed: readonly [List, string, readonly Sale[]][] = [
    ['licenses', 'environment=1', [three]],
    ['licenses', 'environment=0&filter=active', [two, one]],
    ['licenses', `plan_id=${two.offer.planId}`, [two]],
    ['licenses', `search=${two.license.secret_key}`, [two]],
    ['licenses', 'source=7', []],
    ['users', `email=${two.owner.email}`, [two]],
    ['users', 'search=owner', [three, two, one]],
    ['users', 'filter=paid', [two, one]],
    ['payments', 'environment=1', [three]],
    ['payments', 'filter=not_refunded&currency=usd&billing_cycle=12', [three, two, one]],
    ['payments', `search=${two.payment.external_id}`, [two]],
    ['payments', 'coupon_id=99', []],
    ['payments', 'from=2027-01-01', []],
    ['payments', 'to=2025-01-01', []],
    ['subscriptions', 'environment=0', [two, one]],
    ['subscriptions', 'billing_cycle=1', [three]],
    ['subscriptions', 'filter=cancelled', [one]],
    ['subscriptions', `plan_id=${two.offer.planId}`, [two]],
    ['subscriptions', `search=${two.owner.email}`, [two]],
    ['subscriptions', 'gateway=paypal', []],
    ['subscriptions', 'sort=id', [one, two, three]],
    ['subscriptions', 'sort=next_payment', [three, two, one]],
    ['subscriptions', 'sort=-next_payment', [two, three, one]],
  ]
  for (const [list, query, found] of narrowed) {
    assert.deepEqual(
      await listed(list, query),
      found.map((sale) => idOf(sale, list)),
      `${list} ${query}`,
    )
  }
})

test('rows say of which product they are, and more when they are asked for it', async () => {
  const read = async (path: string) => (await call('GET', path)).json
  const { users } = await read('/users.json?count=2')
  assert.deepEqual(
    users.map(({ plugin_id: of }: { plugin_id: string }) => Number(of)),
    [ids.first, ids.second],
  )
  const [license] = (await read('/licenses.json?enriched=true&fields=email')).licenses
  assert.equal(license.email, sales[2].owner.email)
  const [payment] = (await read('/payments.json?extended=true&fields=email,plugin_id')).payments
  assert.deepEqual(payment, { email: sales[2].owner.email, plugin_id: String(ids.first) })
  const [subscription] = (await read('/subscriptions.json?extended=true')).subscriptions
  assert.equal(subscription.email, sales[2].owner.email)
  const plain = (await read('/subscriptions.json?enrich_with_cancellation_discounts=true')).subscriptions
  assert.equal(plain.length, 3)
})

test('the log of the account is that of the products that are named, newest first', async () => {
  const own = (await call('GET', '/events.json')).json.events
  assert.ok(own.every(({ plugin_id: of }: { plugin_id: string | null }) => of === null))
  const both = `product_ids=${ids.first},${ids.second},${ids.foreign}`
  const { events } = (await call('GET', `/events.json?${both}&count=50`)).json
  assert.deepEqual(
    new Set(events.map(({ plugin_id: of }: { plugin_id: string }) => Number(of))),
    new Set([ids.first, ids.second]),
  )
  const all = events.map(({ id }: { id: string }) => Number(id))
  assert.deepEqual(
    all,
    all.toSorted((a: number, b: number) => b - a),
  )
  const paid = await listed('events', `${both}&type=payment.created&state=canceled`)
  assert.equal(paid.length, 3)
  assert.equal((await listed('events', `${both}&type=payment.created&environment=1`)).length, 1)
  assert.deepEqual(await listed('events', 'environment=1'), [])
  assert.deepEqual(await listed('events', `${both}&offset=1001`), [])
})

test('a role without sales lists no payments, no subscriptions, and no users by what they paid', async () => {
  const developer = await asMember(app, 'developer')
  for (const path of ['/payments.json', '/subscriptions.json', '/users.json?filter=paid']) {
    const { status, json } = await developer('GET', path)
    assert.deepEqual([status, json.error.code], [401, 'role_not_allowed'], path)
  }
  assert.equal((await listed('licenses', '', developer)).length, 3)
  assert.equal((await listed('users', '', developer)).length, 3)
})

test('a page is read up to a thousand rows from the start, and beyond it is empty', async () => {
  await app.write(async ({ db }) => {
    const { id: _id, ...row } = await db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', Number(sales[1].license.id))
      .executeTakeFirstOrThrow()
    for (let done = 0; done < 1_010; done += 101) {
      const rows = Array.from({ length: 101 }, (_, n) => ({ ...row, key_hash: `far ${done + n}` }))
      await db.insertInto('licenses').values(rows).execute()
    }
  })
  assert.equal((await listed('licenses', 'count=1&offset=1000')).length, 1)
  assert.deepEqual(await listed('licenses', 'count=1&offset=1001'), [])
})
