import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Whether an install takes only versions with the client's library. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table installs add column is_sdk_required smallint not null default 0`.execute(db)
}
