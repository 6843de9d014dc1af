import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { visit } from '../../test/carts.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { prune } from './prune.ts'
import { runDue } from './worker.ts'

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
    const completed = toUtcTime(clock.real())
    await db
      .updateTable('carts')
      .set({ status: 'completed', completed, recover_at: null })
      .where('id', '=', bought.id)
      .execute()
    await db
      .updateTable('carts')
      .set({ is_unsubscribed: 1 })
      .where('id', 'in', [refuses.id, twice.id])
      .execute()
  })
  const all = await left()
  app.ctx.clock.advance(100 * DAY)
  await app.write(({ db, clock }) =>
    db
      .updateTable('carts')
      .set({ last_visit: toUtcTime(clock.real()) })
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
  assert.equal((await touch('refuses@example.com')).is_unsubscribed, 1)
  const { json } = await app.call('GET', `/products/${product.id}/carts.json`)
  assert.equal(json.carts.length, 4)
  if (app.ctx.database.engine === 'sqlite') await assertPlan()
})

/** The oldest are found by index, however many carts there are. */
async function assertPlan(): Promise<void> {
  const statement = statements.find((sql) => sql.includes('delete from carts')) ?? ''
  const values = Array.from(statement.matchAll(/\?/g), () => 1)
  const plan = CompiledQuery.raw(`explain query plan ${statement}`, values)
  const { rows } = await app.ctx.db.executeQuery<{ detail: string }>(plan)
  const details = rows.map(({ detail }) => detail)
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
  await runDue(app.ctx, [prune])
  assert.deepEqual(await left(), [])
})
