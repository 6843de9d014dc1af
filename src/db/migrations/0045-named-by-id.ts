import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Who names the next owner of an install by an id is not told the address. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table ownership_changes add column is_named_by_id smallint not null default 0`.execute(db)
}
