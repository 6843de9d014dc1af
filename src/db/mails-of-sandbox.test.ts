import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { environmentsAfter } from '../../test/schemas.ts'
import type { Writer } from './database.ts'

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
  const more = async (db: Writer) => {
    for (const [n, { license, clock }] of MAILS.entries()) {
      await sql`insert into mails (id, developer_id, product_id, license_id, on_clock, kind, recipient, state,
          attempts, created_at, lease_until, fence)
        values (${3 + n}, 1, 1, ${license}, ${clock}, 'license', 'a@example.com', 'sent', 0, 0, 0, 0)`.execute(
        db,
      )
    }
  }
  assert.deepEqual(
    await environmentsAfter(t, 'mails_of_sandbox', { from: BEFORE, table: 'mails', more }),
    [1, 0, 1, 0],
  )
})
