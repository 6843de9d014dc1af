import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { userOf } from '../../test/licenses.ts'
import { systemScope } from '../access/scope.ts'
import { countSpent } from '../sales/payments/queries.ts'
import { Together } from '../work/together.ts'
import { batched, sideBySide } from './batched.ts'
import { changingRows, namedBy } from './change-rows.ts'
import { hold } from './hold.ts'

let people = 0
const statements: string[] = []
let app: TestApp
before(async () => {
  app = await startTestApp('batched', { onStatement: (statement) => void statements.push(statement) })
})
after(() => app.close())

const scopeOf = () => systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })

const users = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => Number(await userOf(app, `batched${++people}@example.com`))),
  )

const grossOf = async (userId: number) =>
  (
    await app.ctx.db
      .selectFrom('product_users')
      .select('gross')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).gross

test('what works add to one row side by side is all added, by one statement', async () => {
  const [first = 0, second = 0, third = 0] = await users(3)
  const together = new Together(app.ctx)
  statements.length = 0
  await Promise.all(
    [first, second, first, third, first].map((userId, n) =>
      together.run((tx) => countSpent(tx.db, scopeOf(), { userId, installId: null, gross: 10 ** n })),
    ),
  )
  assert.equal(statements.filter((one) => one.startsWith('update "product_users"')).length, 1)
  assert.deepEqual([await grossOf(first), await grossOf(second), await grossOf(third)], [10_101, 10, 1_000])
})

test('each work is answered for its own row, in whatever order these are asked for; what is not there is undefined', async () => {
  const [first = 0, second = 0] = await users(2)
  const ids = [second, 0, first, second]
  const found = await app.ctx.database.transaction((db) =>
    sideBySide(db, () => Promise.all(ids.map((id) => hold(db, 'users', 'of the test', id)))),
  )
  assert.deepEqual(
    found.map((row) => row?.id),
    [second, undefined, first, second],
  )
})

test('rows of another product are not changed', async () => {
  const ids = await users(2)
  const set = changingRows('product_users', { by: 'user_id' })
  const rows = ids.map((user_id, n) => ({ user_id, gross: n + 1 }))
  const changed = await app.ctx.database.transaction((db) => set(db, { ...scopeOf(), productId: 0 }, rows))
  assert.deepEqual(changed, [])
  assert.equal(await grossOf(ids[0] ?? 0), 0)
})

test('two changes of one row are refused as one statement, which would lose one of them', async () => {
  const [id = 0] = await users(1)
  const set = changingRows('product_users', { by: 'user_id' })
  const rows = [1, 2].map((gross) => ({ user_id: id, gross }))
  await assert.rejects(
    app.ctx.database.transaction((db) => set(db, scopeOf(), rows)),
    /one after another/,
  )
  assert.equal(await grossOf(id), 0)
})

test('changes that give the same columns a value are alike, whatever else they leave undefined', () => {
  assert.equal(namedBy({ due_at: null, attempt: 1, period: undefined }), namedBy({ due_at: 'x', attempt: 2 }))
  assert.notEqual(namedBy({ attempt: 1, period: undefined }), namedBy({ attempt: 1, period: null }))
})

test('a statement that fails fails for each that asked, and after its transaction each has one of its own', async () => {
  const asked: number[][] = []
  const ask = batched({
    one: async (_db: typeof app.ctx.db, n: number) => n,
    many: async (_db, all: readonly number[]): Promise<number[]> => {
      asked.push([...all])
      throw new Error('it fails')
    },
  })
  const ended = await app.ctx.database.transaction((db) =>
    sideBySide(db, () => Promise.allSettled([ask(db, 1), ask(db, 2)])),
  )
  assert.deepEqual(asked, [[1, 2]])
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await ask(app.ctx.db, 3), 3)
})
