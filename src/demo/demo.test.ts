// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { demoContext } from '../../test/demo.ts'
import { START, testContext, type TestOptions } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { DAY, fromUtcTime } from '../lib/time.ts'
import { getMembers } from '../catalogue/bundles/bundle.ts'
import { getInfo } from '../catalogue/products/info.ts'
import { getProducts } from '../catalogue/products/service.ts'
import { getProductAddresses, getStoreAddresses } from '../catalogue/stores/addresses.ts'
import { systemScope } from '../access/scope.ts'
import { fillDemo, openDemo } from './demo.ts'

async function withDemo(t: TestContext, name: string, options: TestOptions = {}) {
  const { ctx, drop } = await testContext(name, options)
  t.after(drop)
  const users = () => ctx.db.selectFrom('users').selectAll().orderBy('id').execute()
  const count = async (table: 'developers' | 'products' | 'product_users' | 'billing' | 'events') => {
    const { rows } = await ctx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return rows
  }
  return { ctx, users, count }
}

test('the demo is a seller with two products and 50 users, who came over the last 18 months', async (t) => {
  const { ctx, users, count } = await withDemo(t, 'demo')
  assert.ok(await fillDemo(ctx))
  const people = await users()
  assert.equal(people.length, 50)
  const products = await ctx.db.selectFrom('products').select('id').where('kind', '=', 'product').execute()
  assert.equal(products.length, 2)
  assert.ok((await count('product_users')) > 55, 'some belong to both products')
  assert.ok((await count('billing')) > 10)
  assert.equal(new Set(people.map(({ email_folded: email }) => email)).size, 50)
  assert.deepEqual(new Set(people.map(({ is_verified: verified }) => verified)), new Set([false, true]))
  const places = await ctx.db
    .selectFrom('product_users')
    .select(['is_marketing_allowed', 'is_beta'])
    .execute()
  assert.deepEqual(
    new Set(places.map(({ is_marketing_allowed: consent }) => consent)),
    new Set([false, true, null]),
  )
  assert.deepEqual(new Set(places.map(({ is_beta: beta }) => beta)), new Set([false, true]))
  const came = people.map(({ created }) => fromUtcTime(created))
  assert.deepEqual(came.toSorted(), came, 'ids follow the days')
  assert.ok((came[0] ?? 0) < START - 500 * DAY && (came.at(-1) ?? 0) < START)
  const events = await ctx.db.selectFrom('events').select('created').execute()
  assert.ok(events.length > 80 && events.every(({ created }) => fromUtcTime(created) <= START))
})

test('events of the demo, and what listeners are sent of them, have ids in the order of their times', async (t) => {
  const { ctx, demo, drop } = await demoContext('demo_order')
  t.after(drop)
  for (const list of ['events', 'deliveries'] as const) {
    for (const productId of [demo.productId, demo.otherProductId]) {
      const rows = await ctx.db
        .selectFrom(list)
        .select('created')
        .where('product_id', '=', productId)
        .orderBy('id')
        .execute()
      const times = rows.map(({ created }) => created)
      assert.ok(times.length > 20)
      assert.deepEqual(times, times.toSorted(), list)
    }
  }
})

test('the same demo comes out every time, but for keys and tokens', async (t) => {
  const seen = []
  for (const name of ['demo-one', 'demo-two']) {
    const { ctx, users } = await withDemo(t, name)
    await fillDemo(ctx)
    seen.push((await users()).map((row) => ({ ...row })))
  }
  assert.deepEqual(seen[0], seen[1])
})

test('a demo that broke off is completed, and one that is whole stays as it is', async (t) => {
  let isBroken = true
  const onStatement = (statement: string) => {
    if (isBroken && statement.startsWith('insert into "billing"')) throw new Error('broken off')
  }
  const { ctx, users, count } = await withDemo(t, 'demo-broken', { onStatement })
  await assert.rejects(fillDemo(ctx), /broken off/)
  assert.equal((await users()).length, 0)
  isBroken = false
  const demo = await fillDemo(ctx)
  assert.ok(demo)
  assert.equal((await users()).length, 50)
  assert.equal(await count('developers'), 3, 'the seller and its team')
  const events = await count('events')
  assert.deepEqual(await fillDemo(ctx), demo)
  assert.equal(await count('events'), events)
})

test('opening the demo gives a fresh token, ends the earlier ones, and names one example of each kind', async (t) => {
  const { ctx, demo, drop } = await demoContext('demo-open')
  t.after(drop)
  const first = await openDemo(ctx, demo)
  const second = await openDemo(ctx, demo)
  assert.notEqual(first.product.token, second.product.token)
  const tokens = await ctx.db.selectFrom('api_tokens').select(['hint', 'revoked_at']).orderBy('id').execute()
  assert.deepEqual(
    tokens.map(({ hint, revoked_at: revoked }) => [hint, revoked !== null]),
    [
      [first.product.token.slice(-4), true],
      [second.product.token.slice(-4), false],
    ],
  )
  const { user_id: user } = second.examples
  const found = await ctx.db
    .selectFrom('product_users')
    .select('user_id')
    .where('product_id', '=', demo.productId)
    .where('user_id', '=', Number(user))
    .executeTakeFirst()
  assert.ok(found)
})

test('a database with the data of another seller gets no demo', async (t) => {
  const { ctx, users } = await withDemo(t, 'demo-other')
  await transaction(ctx, (tx) => createSeller(tx))
  assert.equal(await fillDemo(ctx), null)
  assert.equal((await users()).length, 0)
})

test('the store and both products say what they are, and a bundle has all of them', async (t) => {
  const { ctx, demo, drop } = await demoContext('demo-products')
  t.after(drop)
  const account = systemScope({ developerId: demo.developerId, productId: 0 })
  const all = await getProducts(ctx, account, { all: true, count: 25, offset: 0, sort: '-id' })
  const [bundle] = all.filter(({ type_alias: alias }) => alias === 'bundle')
  assert.ok(bundle && bundle.default_plan_id !== null)
  const members = await getMembers(ctx, { ...account, productId: Number(bundle.id) })
  assert.equal(members.length, all.length - 1)
  for (const productId of [demo.productId, demo.otherProductId]) {
    const info = await getInfo(ctx, { ...account, productId })
    assert.ok(info.short_description && info.selling_point_2)
  }
  assert.ok((await getStoreAddresses(ctx, account, demo.storeId)).general)
  assert.ok((await getProductAddresses(ctx, { ...account, productId: demo.productId })).general)
  assert.ok(Number((await openDemo(ctx, demo)).examples['setting_id']) > 0)
})
