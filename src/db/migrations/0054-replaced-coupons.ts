import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** A coupon against cancelling leaves the coupon in whose place it is to the subscription. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table subscriptions add column replaced_coupon_id bigint references coupons (id)`.execute(
    db,
  )
  // The foreign key: subscriptions of which a coupon was replaced.
  await sql`create index subscriptions_by_replaced_coupon_id on subscriptions (replaced_coupon_id)
    where replaced_coupon_id is not null`.execute(db)
}
