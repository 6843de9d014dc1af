import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { environmentsAfter } from '../../test/schemas.ts'
import type { Writer } from './database.ts'

const BEFORE = 69
const AT = '2026-01-31 10:00:00'

/** Of what stands in row 1 of each table, which is of the sandbox, and in row 2, which is live. */
const EVENTS: readonly Partial<Record<'install_id' | 'cart_id' | 'data', number | string | null>>[] = [
  { install_id: 1, data: '{"install_id":"1"}' },
  { install_id: 2, data: '{"license_id":"1"}' },
  { cart_id: 1, data: null },
  { cart_id: 2, data: null },
  ...['license_id', 'payment_id', 'subscription_id', 'trial_id', 'card_id'].flatMap((name) =>
    [1, 2].map((id) => ({ data: JSON.stringify({ [name]: String(id) }) })),
  ),
  { data: '{"plan_id":"1"}' },
  { data: null },
]

test('after the upgrade an event of before is of the sandbox where that is what it is about', async (t) => {
  const more = async (db: Writer) => {
    const rows = EVENTS.map((event, n) => ({
      install_id: null,
      cart_id: null,
      data: null,
      ...event,
      id: 3 + n,
    }))
    for (const { id, install_id: installId, cart_id: cartId, data } of rows) {
      await sql`insert into events
          (id, developer_id, product_id, install_id, cart_id, type, data, event_trigger, state, created)
        values (${id}, 1, 1, ${installId}, ${cartId}, 'one', ${data}, 'system', 'canceled', ${AT})`.execute(
        db,
      )
    }
  }
  assert.deepEqual(
    await environmentsAfter(t, 'events_of_sandbox', { from: BEFORE, table: 'events', more }),
    [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0],
  )
})
