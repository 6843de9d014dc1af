import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { systemScope } from '../access/scope.ts'
import { transaction } from '../context.ts'
import type { Writer } from './database.ts'
import { hold, holding } from './hold.ts'
import { scoped, type Owner } from './scoped.ts'

let app: TestApp
let owner: Owner
before(async () => {
  app = await startTestApp('hold')
  owner = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
})
after(() => app.close())

const ways: Record<string, (db: Writer) => Promise<{ downloads: number } | undefined>> = {
  'a row that is held by its scope': (db) => hold(db, 'products', owner, owner.productId),
  'a row that is held without one': (db) => hold(db, 'products', 'the test names it', owner.productId),
  'what a read holds': (db) =>
    holding(db, scoped(db, 'products', owner).select().select('downloads')).executeTakeFirst(),
}

for (const [name, held] of Object.entries(ways)) {
  test(`${name} is read as whoever held it before has left it`, async () => {
    const counted = () =>
      app.ctx.db.selectFrom('products').select('downloads').where('id', '=', owner.productId)
    const { downloads: before } = await counted().executeTakeFirstOrThrow()
    const addOne = () =>
      app.ctx.database.transaction(async (db) => {
        const downloads = (await held(db))?.downloads
        assert.ok(downloads !== undefined)
        await db
          .updateTable('products')
          .set({ downloads: downloads + 1 })
          .where('id', '=', owner.productId)
          .execute()
      })
    await Promise.all(Array.from({ length: 10 }, addOne))
    const { downloads } = await counted().executeTakeFirstOrThrow()
    assert.equal(downloads, before + 10)
  })
}

test('a row of another seller, and one that is not there, is not held', async () => {
  const other = await transaction(app.ctx, (tx) => createSeller(tx, 'other@example.com'))
  const held = (of: Owner, id: number) =>
    app.ctx.database.transaction(async (db) => (await hold(db, 'stores', of, id))?.id)
  const own = app.seller.store.id
  assert.equal(await held(owner, own), own)
  assert.equal(await held({ ...owner, developerId: other.developer.id }, own), undefined)
  assert.equal(await held(owner, own + 1_000_000), undefined)
})
