import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** An open cart is its visitor's, whoever has typed its address; of an address one is mailed about. */
export async function up(db: Writer): Promise<void> {
  await sql`drop index carts_open_by_email`.execute(db)
  // One open cart an address that it is mailed about.
  await sql`create unique index carts_mailed_by_email on carts (product_id, environment, email_folded)
    where completed is null and email_folded <> '' and status in ('email_1_sent', 'email_2_sent', 'email_3_sent')`.execute(
    db,
  )
}
