import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  const add = (column: ReturnType<typeof sql>) => sql`alter table checkouts add column ${column}`.execute(db)
  await add(sql`action ${text} not null default 'purchase'`)
  await add(sql`trial ${text}`)
  await add(sql`trial_id bigint references trials (id) on delete set null`)
  await add(sql`of_license_id bigint references licenses (id) on delete set null`)
  await add(sql`is_hidden smallint not null default 0`)
  await add(sql`coupon_id bigint references coupons (id)`)
  await add(sql`kept ${text}`)
  await add(sql`seen ${text}`)
  await add(sql`buyer_token ${text}`)
  await sql`create index checkouts_of_trial on checkouts (trial_id) where trial_id is not null`.execute(db)
  await sql`create index checkouts_about_license on checkouts (of_license_id)
    where of_license_id is not null`.execute(db)
  await sql`create index checkouts_of_coupon on checkouts (coupon_id) where coupon_id is not null`.execute(db)
  await sql`create index checkouts_left on checkouts (updated, id)
    where state = 'paying' and charge_id is null`.execute(db)
  await sql`drop index charges_of_purchases`.execute(db)
  await sql`create index charges_of_checkouts on charges (lease_until, id)
    where purpose in ('purchase', 'balance', 'setup') and state in ('started', 'pending')`.execute(db)
}
