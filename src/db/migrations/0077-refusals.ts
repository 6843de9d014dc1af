import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What clients were refused, for 30 days. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table refusals (
    id ${id},
    product_id bigint not null references products (id) on delete cascade,
    day ${text} not null,
    slot integer not null,
    same ${text} not null,
    occasion ${text} not null,
    license_id bigint references licenses (id) on delete cascade,
    install_id bigint references installs (id) on delete cascade,
    user_id bigint references users (id) on delete cascade,
    environment smallint not null,
    uid ${text},
    url ${text},
    version ${text},
    code ${text} not null,
    message ${text} not null,
    count integer not null,
    created ${text} not null,
    last_at ${text} not null)`.execute(db)
  // As many a day as there are slots.
  await sql`create unique index refusals_slots on refusals (product_id, day, slot)`.execute(db)
  await sql`create index refusals_of_product on refusals (product_id, environment, id)`.execute(db)
  await sql`create index refusals_of_license on refusals (license_id, id)`.execute(db)
  await sql`create index refusals_of_user on refusals (user_id, id)`.execute(db)
  await sql`create index refusals_of_install on refusals (install_id)`.execute(db)
  await sql`create index refusals_by_uid on refusals (product_id, uid, id)`.execute(db)
  await sql`create index refusals_by_code on refusals (product_id, code, id)`.execute(db)
  // The job `prune`.
  await sql`create index refusals_by_age on refusals (last_at)`.execute(db)
}
