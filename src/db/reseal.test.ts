import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { createSeller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { Keyring } from '../lib/keyring.ts'
import { countSealedWith, endsOf, resealColumn } from './reseal.ts'
import { placeOf, type SealedColumn } from './sealed-columns.ts'
import { COLUMN, isUpdate, NEW, OLD, sealedColumn } from '../../test/sealed-column.ts'

test('every value of a column is sealed anew, over all batches, and says the same as before', async (t) => {
  const { ctx, old, both } = await sealedColumn(t, 'reseal')
  const before = await ctx.db.selectFrom('events').select(['id', 'data']).orderBy('id').execute()
  assert.deepEqual(await resealColumn(ctx.database, COLUMN, both), { resealed: 441, unreadable: [] })
  const after = await ctx.db.selectFrom('events').select(['id', 'data']).orderBy('id').execute()
  const texts = (rows: typeof after, keys: Keyring) =>
    rows.map(({ data }) => (data === null ? null : keys.open(data, placeOf(COLUMN))))
  assert.deepEqual(texts(after, Keyring.of(NEW)), texts(before, old))
  assert.equal(await countSealedWith(ctx.db, COLUMN, old.currentKid), 0)
  assert.deepEqual(await resealColumn(ctx.database, COLUMN, both), { resealed: 0, unreadable: [] })
  assert.ok((await endsOf(ctx.db, COLUMN)).every(({ sealed }) => both.isCurrent(sealed)))
})

test('broken off after any batch, it goes on where it was', async (t) => {
  let left = Number.POSITIVE_INFINITY
  const { ctx, old, both } = await sealedColumn(t, 'reseal-broken', (statement) => {
    if (isUpdate(statement) && left-- <= 0) throw new Error('broken off')
  })
  let breaks = 0
  for (let resealed = -1; resealed !== 0;) {
    left = 250
    const done = await resealColumn(ctx.database, COLUMN, both).catch(() => null)
    if (done === null) breaks++
    resealed = done?.resealed ?? -1
  }
  assert.ok(breaks > 0)
  assert.equal(await countSealedWith(ctx.db, COLUMN, old.currentKid), 0)
})

test('what no known secret opens stays as it is and is named', async (t) => {
  const { ctx, drop } = await testContext('reseal-unknown')
  t.after(drop)
  await transaction(ctx, (tx) => createSeller(tx))
  const column: SealedColumn = { table: 'products', column: 'secret_key', key: 'id' }
  const before = await endsOf(ctx.db, column)
  const { resealed, unreadable } = await resealColumn(ctx.database, column, Keyring.of(NEW, [OLD]))
  assert.equal(resealed, 0)
  assert.deepEqual(unreadable, ['products.secret_key 1', 'products.secret_key 2'])
  assert.deepEqual(await endsOf(ctx.db, column), before)
})
