import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 49

/** Key, payment, details, and what the row says after the upgrade: owed, unearned, begun anew, of which charge. */
const ROWS = [
  ['refund:a', 1, { isOwed: true, isUnearned: true }, [true, true, false, null]],
  ['refund:b', 2, { isOwed: true }, [true, false, false, null]],
  ['refund:c', 2, { reason: '"isOwed":true' }, [false, false, false, null]],
  ['refund:d', 2, { isOwed: true }, [true, false, true, null]],
  ['refund:charge:1', null, { chargeId: 'ch_1' }, [false, false, false, 1]],
  ['refund:charge:2:1003', null, { chargeId: 'ch_2' }, [false, false, false, 2]],
  ['refund:charge:9', null, { chargeId: 'ch_9' }, [false, false, false, null]],
] as const

test('after the upgrade refunds say in columns what their keys and details said', async (t) => {
  const { database, drop } = await createEmptyDatabase('owed_refunds_upgrade')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    for (const [index, [key, paymentId, details]] of ROWS.entries()) {
      await sql`insert into charges (id, key, product_id, environment, purpose, payment_id, amount, currency, gateway,
          state, details, lease_until, created)
        values (${1_000 + index}, ${key}, 1, 0, 'refund', ${paymentId}, 100, 'usd', 'test', 'settled',
          ${JSON.stringify(details)}, 0, '2026-01-01 00:00:00')`.execute(db)
    }
  })
  await migrate(database)
  const rows = await database.reader
    .selectFrom('charges')
    .select(['key', 'is_owed', 'is_unearned', 'is_again', 'of_charge_id'])
    .orderBy('id')
    .execute()
  const told = rows.map((row) => [row.key, [row.is_owed, row.is_unearned, row.is_again, row.of_charge_id]])
  assert.deepEqual(
    told.slice(0, 2).map(([, values]) => values),
    [
      [false, false, false, null],
      [false, false, false, null],
    ],
  )
  assert.deepEqual(
    told.slice(2),
    ROWS.map(([key, , , values]) => [key, values]),
  )
})
