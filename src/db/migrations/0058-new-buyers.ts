import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** A checkout knows whether it made its buyer a person; of those before nobody knows. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table checkouts add column made_user smallint not null default 0`.execute(db)
}
