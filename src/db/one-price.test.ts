import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { toUtcTime } from '../lib/time.ts'
import { migrate } from './migrate.ts'

const BEFORE = 31

test('prices that stand twice stay after the upgrade, and no third one is added beside them', async (t) => {
  const { database, drop } = await createEmptyDatabase('one_price')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  const [plan] = await database.reader.selectFrom('plans').select(['id', 'product_id']).limit(1).execute()
  assert.ok(plan)
  let id = 1_000
  const row = (licenses: number | null, isHidden: boolean) => ({
    id: ++id,
    product_id: plan.product_id,
    plan_id: plan.id,
    currency: 'gbp' as const,
    licenses,
    annual_price: 100,
    is_whitelabeled: false,
    is_hidden: isHidden,
    created: toUtcTime(0),
  })
  const rows = [row(3, true), row(3, false), row(3, false), row(null, false), row(null, false), row(4, false)]
  await database.transaction((db) => db.insertInto('pricing').values(rows).execute())
  await migrate(database)
  const prices = await database.reader
    .selectFrom('pricing')
    .select(['id', 'licenses', 'twin_of'])
    .where('currency', '=', 'gbp')
    .orderBy('id')
    .execute()
  const [hidden, first, second, unlimited, again, four] = prices
  assert.deepEqual(
    [hidden, first, second, unlimited, again, four].map((one) => one?.twin_of),
    [first?.id, 0, first?.id, 0, unlimited?.id, 0],
  )
  const third = row(4, false)
  await assert.rejects(
    database.transaction((db) => db.insertInto('pricing').values(third).execute()),
    /unique/i,
  )
})
