import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** The sites of a license newest first, a page of which is read without all of them. */
export async function up(db: Writer): Promise<void> {
  await sql`create index installs_of_license_newest on installs (license_id, id) where license_id is not null`.execute(
    db,
  )
}
