import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What sites say that never opted in is found when it is old, and removed. */
export async function up(db: Writer): Promise<void> {
  await sql`create index skipped_sites_by_age on skipped_sites (created)`.execute(db)
  await sql`create index uninstalls_by_age on uninstalls (created) where install_id is null`.execute(db)
}
