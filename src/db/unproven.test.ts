import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 47

test('after the upgrade what came with licenses in use counts, and of trials by keys that stand twice one is held', async (t) => {
  const { database, drop } = await createEmptyDatabase('unproven')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    const license = await db
      .selectFrom('licenses')
      .select('id')
      .where('is_unproven', '=', true)
      .executeTakeFirstOrThrow()
    await db.updateTable('coupon_redemptions').set({ license_id: license.id }).where('id', '=', 1).execute()
    await db.updateTable('licenses').set({ is_unproven: false }).where('id', '<>', license.id).execute()
    await db.deleteFrom('tried_sites').execute()
    const { is_by_key: _later, ...known } = await db
      .selectFrom('trials')
      .selectAll()
      .limit(1)
      .executeTakeFirstOrThrow()
    await db.deleteFrom('trials').execute()
    const row = (id: number, uid: string, is_unproven: boolean) => ({
      ...known,
      id,
      uid,
      is_unproven,
      install_id: null,
    })
    const rows = [row(1, 'checkout:0', true), row(2, 'a', false), row(3, 'b', true), row(4, 'c', true)]
    await db.insertInto('trials').values(rows).execute()
  })
  await migrate(database)
  const licenses = database.reader.selectFrom('coupon_redemptions').select('license_id').orderBy('id')
  assert.deepEqual(
    (await licenses.execute()).map(({ license_id: id }) => id === null),
    [false, true],
  )
  const trials = await database.reader.selectFrom('trials').select('is_by_key').orderBy('id').execute()
  assert.deepEqual(
    trials.map(({ is_by_key: isByKey }) => isByKey),
    [false, false, true, false],
  )
})
