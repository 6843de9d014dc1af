import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What sites say that never opted in is found when it is old, and removed. */
export async function up(db: Writer): Promise<void> {
  // The job `prune`: sites that skipped the opt-in long ago.
  await sql`create index skipped_sites_by_age on skipped_sites (created)`.execute(db)
  // The job `prune`: reasons of sites that never opted in, from long ago.
  await sql`create index uninstalls_by_age on uninstalls (created) where install_id is null`.execute(db)
}
