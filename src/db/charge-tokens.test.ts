import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 55

/** Details of a charge, and what the row says after the upgrade: details and token. */
const ROWS = [
  [
    { checkoutId: 1, priced: {}, token: 'v1.a.b', returnUrl: '' },
    { checkoutId: 1, priced: {}, returnUrl: '' },
    'v1.a.b',
  ],
  [{ period: '"token":' }, { period: '"token":' }, null],
  [{ priced: { token: 'inside' } }, { priced: { token: 'inside' } }, null],
  [null, null, null],
] as const

test('after the upgrade the method of payment of a charge stands in a column of its own', async (t) => {
  const { database, drop } = await createEmptyDatabase('charge_tokens_upgrade')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    // More than are moved at once.
    for (let index = 0; index < 2_400; index++) {
      const details = ROWS[index % ROWS.length]?.[0] ?? null
      await sql`insert into charges (id, key, product_id, environment, purpose, amount, currency, gateway, state, details,
          lease_until, created)
        values (${1_000 + index}, ${`checkout:${index}`}, 1, 0, 'purchase', 100, 'usd', 'test', 'pending',
          ${details === null ? null : JSON.stringify(details)}, 0, '2026-01-01 00:00:00')`.execute(db)
    }
  })
  await migrate(database)
  const rows = await database.reader
    .selectFrom('charges')
    .select(['details', 'token'])
    .where('id', '>=', 1_000)
    .orderBy('id')
    .execute()
  assert.equal(rows.length, 2_400)
  for (const [index, { details, token }] of rows.entries()) {
    const [, wanted, moved] = ROWS[index % ROWS.length] ?? []
    assert.deepEqual([details === null ? null : JSON.parse(details), token], [wanted, moved])
  }
})
