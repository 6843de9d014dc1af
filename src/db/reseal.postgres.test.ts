import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLUMN, sealedColumn, isUpdate } from '../../test/sealed-column.ts'
import { connect } from './connect.ts'
import { resealColumn } from './reseal.ts'
import { placeOf } from './sealed-columns.ts'

test('a value that changes while it is sealed anew keeps its change', async (t) => {
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
