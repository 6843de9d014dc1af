import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Who holds keys of own reach names any uid: by them a user has one trial of a product, live and in the sandbox. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table trials add column is_by_key smallint not null default 0`.execute(db)
  await sql`update trials set is_by_key = 1 where id in (
    select min(id) from trials where is_unproven = 1 and uid not like 'checkout:%'
    group by product_id, user_id, environment)`.execute(db)
  // By keys of own reach a user has one trial of a product, live and in the sandbox.
  await sql`create unique index trials_once_by_key on trials (product_id, user_id, environment)
    where is_by_key = 1`.execute(db)
}
