import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table reviews (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint,
    license_id bigint,
    external_id ${text} not null,
    rate smallint not null,
    title ${text} not null,
    text ${text} not null,
    name ${text} not null,
    job_title ${text} not null,
    company ${text} not null,
    company_url ${text} not null,
    picture ${text} not null,
    profile_url ${text} not null,
    is_verified smallint not null,
    is_featured smallint not null,
    is_active smallint not null,
    created ${text} not null,
    updated ${text})`.execute(db)
  // The list of a product's reviews, newest first.
  await sql`create index reviews_of_product on reviews (product_id, id)`.execute(db)
  // The reviews that are shown, featured ones first, then the newest.
  await sql`create index reviews_active on reviews (product_id, is_featured, id) where is_active = 1`.execute(
    db,
  )
  // How many reviews that are shown have which score.
  await sql`create index reviews_by_rate on reviews (product_id, is_active, is_verified, rate)`.execute(db)
}
