import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { salesOf, type Sales } from '../../test/invoices.ts'
import { Together } from './together.ts'

let app: TestApp
let sales: Sales
before(async () => {
  app = await startTestApp('together')
  sales = await salesOf(app)
})
after(() => app.close())

test('transactions that wait while one is under way share a commit, their numbers taken at once', async () => {
  const together = new Together(app.ctx)
  const paid = await Promise.all(Array.from({ length: 40 }, () => together.run((tx) => sales.record(tx))))
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text) as count from payments`.execute(app.ctx.db)
  assert.equal(rows[0]?.count, 3)
  assert.deepEqual(
    await sales.numbers(),
    paid.map((_, index) => index + 1),
  )
})

test('one that fails is refused alone; the others of its commit are done', async () => {
  const before = (await sales.numbers()).length
  const together = new Together(app.ctx)
  const ended = await Promise.allSettled(
    [1, 2, 3, 4].map((n) =>
      together.run(async (tx) => {
        await sales.record(tx)
        if (n === 2) throw new Error('it is undone')
        if (n === 3) await sql`select 1 / 0`.execute(tx.db)
      }),
    ),
  )
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.equal((await sales.numbers()).length, before + 2)
})
