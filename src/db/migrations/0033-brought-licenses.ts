import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What was paid once elsewhere has no subscription; what was given away here has no price and no id. */
const PAID_ELSEWHERE = sql`select license_id from subscriptions where is_elsewhere = 1
  union all select license_id from payments where type = 'payment' and subscription_id is null
    and gateway is null and payment_method_id is null and (external_id is not null or gross > 0)`

/** Which licenses were brought along, also from an installation of the same origin. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table licenses add column is_brought smallint not null default 0`.execute(db)
  await sql`update licenses set is_brought = 1 where source > 0 or id in (${PAID_ELSEWHERE})`.execute(db)
  await sql`drop index licenses_migrated`.execute(db)
  // The list of licenses that were brought along, newest first.
  await sql`create index licenses_migrated on licenses (product_id, id) where is_brought = 1`.execute(db)
}
