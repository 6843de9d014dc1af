import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 57

test('after the upgrade no checkout of before counts as the one that made its buyer', async (t) => {
  const { database, drop } = await createEmptyDatabase('new_buyers')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await migrate(database)
  const rows = await database.reader.selectFrom('checkouts').select('made_user').execute()
  assert.deepEqual(
    rows.map(({ made_user: made }) => made),
    [false, false],
  )
})
