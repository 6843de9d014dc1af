import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const statements = [...columns(wordsOf(engine)), ...checkouts, ...charges]
  for (const statement of statements) await statement.execute(db)
}

const columns = ({ text }: Words) =>
  [
    sql`action ${text} not null default 'purchase'`,
    sql`trial ${text}`,
    sql`trial_id bigint references trials (id) on delete set null`,
    sql`of_license_id bigint references licenses (id) on delete set null`,
    sql`is_hidden smallint not null default 0`,
    sql`coupon_id bigint references coupons (id)`,
    sql`kept ${text}`,
    sql`seen ${text}`,
    sql`buyer_token ${text}`,
  ].map((column) => sql`alter table checkouts add column ${column}`)

const checkouts = [
  // The foreign key: checkouts whose trial is deleted.
  sql`create index checkouts_of_trial on checkouts (trial_id) where trial_id is not null`,
  // Whether a license is changed in another checkout.
  sql`create index checkouts_about_license on checkouts (of_license_id)
    where of_license_id is not null`,
  // The foreign key: checkouts with a coupon.
  sql`create index checkouts_of_coupon on checkouts (coupon_id) where coupon_id is not null`,
  // The job `settle-purchases`: checkouts that somebody began to pay without a charge, longest left first.
  sql`create index checkouts_left on checkouts (updated, id)
    where state = 'paying' and charge_id is null`,
]

const charges = [
  sql`drop index charges_of_purchases`,
  // The job `settle-purchases`: charges that are not decided, longest left first.
  sql`create index charges_of_checkouts on charges (lease_until, id)
    where purpose in ('purchase', 'balance', 'setup') and state in ('started', 'pending')`,
]
