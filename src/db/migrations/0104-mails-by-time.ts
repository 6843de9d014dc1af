import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What the list of mails of some time reads: a page of it, and no other row (`docs/decisions.md` 1.7). */
export async function up(db: Writer): Promise<void> {
  await sql`create index mails_by_time on mails (product_id, created_at, id) where product_id is not null`.execute(
    db,
  )
}
