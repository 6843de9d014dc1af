import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/**
 * A checkout knows the site that it was opened from. No foreign key: what deletes an install waits for nobody who pays,
 * and whoever reads it looks whether the install is there.
 */
export async function up(db: Writer): Promise<void> {
  await sql`alter table checkouts add column install_id bigint`.execute(db)
}
