import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testContext } from '../../test/app.ts'
import { testEngine } from '../../test/database.ts'
import { createSeller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { Keyring } from '../lib/keyring.ts'
import { connect } from './connect.ts'
import type { StatementHook } from './database.ts'
import { countSealedWith, oneSealed, resealColumn } from './reseal.ts'
import { placeOf, type SealedColumn } from './sealed-columns.ts'

const OLD = 'an old secret, long enough to be one'
const NEW = 'a new secret, long enough to be one'
const COLUMN: SealedColumn = { table: 'events', column: 'data', key: 'id' }

const isUpdate = (statement: string) => statement.trimStart().startsWith('update')

/** The embedded database has one writer at a time, so there nobody comes between. */
const oneWriter = { skip: testEngine() === 'sqlite' }

/** A column of 450 sealed values: more than two batches. */
async function sealedColumn(t: TestContext, name: string, onStatement?: StatementHook) {
  const { ctx, databaseOptions, drop } = await testContext(name, onStatement ? { onStatement } : {})
  t.after(drop)
  const old = Keyring.of(OLD)
  await transaction(ctx, async ({ db }) => {
    const rows = Array.from({ length: 450 }, (_, index) => ({
      developer_id: 1,
      product_id: null,
      user_id: null,
      install_id: null,
      type: 'user.created',
      data: index % 50 === 7 ? null : old.seal(`text ${index}`, placeOf(COLUMN)),
      event_trigger: 'system' as const,
      state: 'canceled' as const,
      process_time: null,
      created: '2026-01-01 00:00:00' as never,
      updated: null,
    }))
    for (const row of rows) await db.insertInto('events').values(row).execute()
  })
  return { ctx, databaseOptions, old, both: Keyring.of(NEW, [OLD]) }
}

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
  assert.ok(both.isCurrent((await oneSealed(ctx.db, COLUMN)) ?? ''))
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

test('a value that changes while it is sealed anew keeps its change', oneWriter, async (t) => {
  let between: (() => Promise<unknown>) | null = null
  const { ctx, both, databaseOptions } = await sealedColumn(t, 'reseal-race', async (statement) => {
    if (!isUpdate(statement)) return
    const change = between
    between = null
    await change?.()
  })
  const other = connect(databaseOptions)
  t.after(() => other.close())
  const changed = both.seal('changed meanwhile', placeOf(COLUMN))
  between = () =>
    other.transaction((db) => db.updateTable('events').set({ data: changed }).where('id', '=', 3).execute())
  await resealColumn(ctx.database, COLUMN, both)
  const row = await ctx.db.selectFrom('events').select('data').where('id', '=', 3).executeTakeFirst()
  assert.equal(row?.data, changed)
})

test('what no known secret opens stays as it is and is named', async (t) => {
  const { ctx, drop } = await testContext('reseal-unknown')
  t.after(drop)
  await transaction(ctx, (tx) => createSeller(tx))
  const column: SealedColumn = { table: 'products', column: 'secret_key', key: 'id' }
  const before = await oneSealed(ctx.db, column)
  const { resealed, unreadable } = await resealColumn(ctx.database, column, Keyring.of(NEW, [OLD]))
  assert.equal(resealed, 0)
  assert.deepEqual(unreadable, ['products.secret_key 1', 'products.secret_key 2'])
  assert.equal(await oneSealed(ctx.db, column), before)
})
