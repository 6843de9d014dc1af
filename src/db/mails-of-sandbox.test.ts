import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 85
const AT = '2026-01-31 10:00:00'

/** By license, of which row 1 is of the sandbox and row 2 live, or by the clock that it was written on. */
const MAILS = [
  { license: 1, clock: null },
  { license: 2, clock: null },
  { license: null, clock: AT },
  { license: null, clock: null },
] as const

test('after the upgrade a mail of before is of the sandbox where what it is about tells that', async (t) => {
  const { database, drop } = await createEmptyDatabase('mails_of_sandbox')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  await database.transaction(async (db) => {
    for (const [n, { license, clock }] of MAILS.entries()) {
      await sql`insert into mails (id, developer_id, product_id, license_id, on_clock, kind, recipient, state,
          attempts, created_at, lease_until, fence)
        values (${3 + n}, 1, 1, ${license}, ${clock}, 'license', 'a@example.com', 'sent', 0, 0, 0, 0)`.execute(
        db,
      )
    }
  })
  await migrate(database)
  const rows = await database.reader
    .selectFrom('mails')
    .select('environment')
    .where('id', '>', 2)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ environment }) => environment),
    [1, 0, 1, 0],
  )
})
