import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { endedOrWaiting } from '../../../test/lock-waits.ts'
import { visit } from '../../../test/carts.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import type { CartRow } from './schema.ts'
import { deleteLeftCarts } from './left-cart-rows.ts'
import { prune } from '../../jobs/prune.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
const statements: string[] = []
before(async () => {
  app = await startTestApp('prune_carts', {
    config: { kept: { eventDays: 400, attemptDays: 10 } },
    onStatement: async (sql: string) => void statements.push(sql),
  })
})
after(() => app.close())

const left = async () =>
  (await app.ctx.db.selectFrom('carts').select('email').orderBy('id').execute()).map(({ email }) => email)

const touch = (email: string) => visit(app, { email })

test('a cart that was never bought goes when events do, what is bought, visited or wants no mails stays', async () => {
  const { product } = app.seller
  const bought = await touch('bought@example.com')
  for (const email of ['left@example.com', 'visited@example.com']) await touch(email)
  const refuses = await touch('refuses@example.com')
  const twice = await touch('refuses@example.com')
  await app.write(async ({ db, clock }) => {
    const completed = clock.now()
    await db
      .updateTable('carts')
      .set({ status: 'completed', completed, recover_at: null })
      .where('id', '=', bought.id)
      .execute()
    await db
      .updateTable('carts')
      .set({ is_unsubscribed: true })
      .where('id', 'in', [refuses.id, twice.id])
      .execute()
  })
  const all = await left()
  app.ctx.clock.advance(100 * DAY)
  await app.write(({ db, clock }) =>
    db
      .updateTable('carts')
      .set({ last_visit: clock.now() })
      .where('email', '=', 'visited@example.com')
      .execute(),
  )
  app.ctx.clock.advance(299 * DAY)
  await runDue(app.ctx, [prune])
  assert.deepEqual(await left(), all)
  app.ctx.clock.advance(2 * DAY)
  statements.length = 0
  await runDue(app.ctx, [prune])
  assert.deepEqual(await left(), ['bought@example.com', 'visited@example.com', 'refuses@example.com'])
  assert.equal((await touch('refuses@example.com')).is_unsubscribed, true)
  const { json } = await app.call('GET', `/products/${product.id}/carts.json`)
  assert.equal(json.carts.length, 4)
  if (app.ctx.database.engine === 'sqlite') await assertPlan()
})

/** A cart of an address that was last visited so many days ago, whatever else is said of it. */
async function visitedAgo(email: string, days: number, more: Partial<CartRow> = {}): Promise<number> {
  const { id } = await touch(email)
  const last_visit = toUtcTime(app.ctx.clock.real() - days * DAY)
  await app.write(({ db }) =>
    db
      .updateTable('carts')
      .set({ last_visit, ...more })
      .where('id', '=', id)
      .execute(),
  )
  return id
}

const areLeft = async (ids: readonly number[]) => {
  const rows = await app.ctx.db
    .selectFrom('carts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const pruneAnew = async (ctx = app.ctx) => {
  await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
  await runDue(ctx, [prune])
}

test('the cart that says that an address wants no mails gives way to a newer one of that address in that product alone', async () => {
  const no = { is_unsubscribed: true } as const
  const { id: otherProduct } = app.seller.other
  const stays = await visitedAgo('no1@example.com', 401, no)
  const abroad = await visitedAgo('no1@example.com', 401, { ...no, product_id: otherProduct })
  const also = await visitedAgo('no2@example.com', 401, no)
  const asked = await visitedAgo('no2@example.com', 0, { is_unsubscribed: false })
  const [older, newer] = [
    await visitedAgo('no3@example.com', 401, no),
    await visitedAgo('no3@example.com', 401, no),
  ]
  await pruneAnew()
  assert.deepEqual(await areLeft([stays, abroad, also, asked, older, newer]), [
    stays,
    abroad,
    also,
    asked,
    newer,
  ])
})

test('a cart that is visited or bought while the old ones go stays', async () => {
  const [visited, bought] = [
    await visitedAgo('meanwhile1@example.com', 401),
    await visitedAgo('meanwhile2@example.com', 401),
  ]
  let pruned: Promise<void> | undefined
  await app.ctx.database.transaction(async (db) => {
    const now = app.ctx.clock.now()
    await db.updateTable('carts').set({ last_visit: now }).where('id', '=', visited).execute()
    await db.updateTable('carts').set({ completed: now, recover_at: null }).where('id', '=', bought).execute()
    pruned = app
      .write(({ db: other }) =>
        deleteLeftCarts(other, { until: toUtcTime(app.ctx.clock.real() - 400 * DAY), limit: 10 }),
      )
      .then(() => {})
    await endedOrWaiting(app.ctx.database, pruned)
  })
  await pruned
  assert.deepEqual(await areLeft([visited, bought]), [visited, bought])
})

test('the oldest go first, and none within a year, however early events go', async () => {
  const [old, older] = [await visitedAgo('old1@example.com', 500), await visitedAgo('old2@example.com', 600)]
  const young = await visitedAgo('young@example.com', 360)
  await app.write(({ db }) =>
    deleteLeftCarts(db, { until: toUtcTime(app.ctx.clock.real() - 400 * DAY), limit: 1 }),
  )
  assert.deepEqual(await areLeft([old, older, young]), [old, young])
  await pruneAnew({ ...app.ctx, config: { ...app.ctx.config, kept: { eventDays: 30, attemptDays: 10 } } })
  assert.deepEqual(await areLeft([old, older, young]), [young])
})

/** The oldest are found by index, however many carts there are. */
async function assertPlan(): Promise<void> {
  const statement = statements.find((sql) => sql.includes('delete from carts')) ?? ''
  const details = await stepsOf(app.ctx.db, { sql: statement })
  assert.ok(
    details.some((one) => /old USING (COVERING )?INDEX carts_left \(last_visit</.test(one)),
    details.join(' | '),
  )
  assert.doesNotMatch(details.join(), /SCAN|TEMP B-TREE/)
}

test('they go in batches of a thousand', async () => {
  const { id: _id, ...row } = await app.ctx.db
    .selectFrom('carts')
    .selectAll()
    .limit(1)
    .executeTakeFirstOrThrow()
  const old = toUtcTime(app.ctx.clock.real() - 401 * DAY)
  await app.ctx.database.transaction(async (db) => {
    await db.deleteFrom('carts').execute()
    for (let part = 0; part < 5; part++) {
      const rows = Array.from({ length: 250 }, (_, n) => ({
        ...row,
        email: `many${part}-${n}@example.com`,
        email_folded: `many${part}-${n}@example.com`,
        completed: null,
        last_visit: old,
      }))
      await db.insertInto('carts').values(rows).execute()
    }
  })
  app.ctx.clock.advance(DAY)
  statements.length = 0
  await runDue(app.ctx, [prune])
  assert.deepEqual(await left(), [])
  assert.equal(statements.filter((sql) => sql.includes('delete from carts')).length, 2)
})
