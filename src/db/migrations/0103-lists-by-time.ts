import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What a list of some time reads, newest first: a page of it, and no other row (`docs/decisions.md` 1.7). */
const LISTS = ['licenses', 'installs', 'product_users', 'subscriptions', 'carts', 'events'] as const

export async function up(db: Writer): Promise<void> {
  for (const list of LISTS) {
    const id = list === 'product_users' ? 'user_id' : 'id'
    await sql`create index ${sql.ref(`${list}_by_time`)} on ${sql.table(list)} (product_id, created, ${sql.ref(id)})`.execute(
      db,
    )
  }
}
