import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Of carts that are there it is not known what was done but to type the address: they are recovered as before. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table products add column enable_cart_recovery smallint not null default 1`.execute(db)
  await sql`alter table carts add column went_on smallint not null default 1`.execute(db)
}
