import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** A charge knows since when its gateway does not find it, and when it is looked up for the last time. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table charges add column missed_at bigint`.execute(db)
  await sql`alter table charges add column look_at bigint`.execute(db)
  // The job `look-again`: charges that were let go and are to be looked up, longest due first.
  await sql`create index charges_let_go on charges (look_at, id) where look_at is not null`.execute(db)
}
