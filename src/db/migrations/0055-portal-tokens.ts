import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Who enters the portal by a link that somebody else was answered is in one product of its seller. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table access_tokens add column product_id bigint references products (id)`.execute(db)
  // The foreign key: tokens that are for one product.
  await sql`create index access_tokens_by_product_id on access_tokens (product_id)
    where product_id is not null`.execute(db)
}
