import { sql } from 'kysely'
import type { Writer } from '../database.ts'

export async function up(db: Writer): Promise<void> {
  // The log of an account itself, newest first.
  await sql`create index events_of_account on events (developer_id, id) where product_id is null`.execute(db)
}
