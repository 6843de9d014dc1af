import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** The deliveries of all listeners of a product, newest first, also those in a state. */
export async function up(db: Writer): Promise<void> {
  await sql`create index deliveries_of_product on deliveries (product_id, id)`.execute(db)
  await sql`create index deliveries_of_product_in_state on deliveries (product_id, state, id)`.execute(db)
}
