import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table license_keys (
    id ${id},
    product_id bigint not null references products (id),
    state ${text} not null,
    kid ${text} not null unique,
    public_key ${text} not null,
    secret_key ${text},
    files_until ${text},
    retired_at ${text},
    created ${text} not null)`.execute(db)
  // The keys of a product, newest first.
  await sql`create index license_keys_of_product on license_keys (product_id, id)`.execute(db)
  // One key of a product that signs, and one that is next.
  await sql`create unique index license_keys_in_use on license_keys (product_id, state)
    where state <> 'retired'`.execute(db)
}
