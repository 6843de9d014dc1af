import { sql } from 'kysely'
import type { Writer } from '../database.ts'

export async function up(db: Writer): Promise<void> {
  await sql`alter table mails add column failing_since bigint`.execute(db)
  await sql`alter table mails add column keep_until bigint`.execute(db)
  // Mails that were given up: which are tried again, or forgotten, the earliest first.
  await sql`create index mails_kept on mails (keep_until) where keep_until is not null`.execute(db)
}
