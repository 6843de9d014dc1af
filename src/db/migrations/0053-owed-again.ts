import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Which refunds that a buyer is owed begin anew what an earlier one of the same payment was to give back. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table charges add column is_again smallint not null default 0`.execute(db)
  await sql`update charges set is_again = 1 where is_owed = 1 and exists (select 1 from charges as earlier
    where earlier.payment_id = charges.payment_id and earlier.is_owed = 1 and earlier.id < charges.id)`.execute(
    db,
  )
}
