import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What was sold here without a method of payment began with nothing to pay; what was brought along did not. */
const BROUGHT = sql`gateway is null and payment_method_id is null
  and (source > 0 or external_id is not null or initial_amount > 0)`

/** Given up here after four attempts to charge it, and the last one of its license, which nothing renews since. */
const GIVEN_UP = sql`is_elsewhere = 1 and canceled_at is not null and failed_payments >= 4
  and id = (select max(later.id) from subscriptions as later where later.license_id = subscriptions.license_id)
  and not exists (select 1 from subscriptions as active
    where active.license_id = subscriptions.license_id and active.canceled_at is null)`

const NOTHING_OWED = sql`due_at = null, attempt = 0, failed_payments = 0, outstanding_balance = 0, lease_until = 0`

/** Takes back what was done to subscriptions that are paid elsewhere and were charged here for want of a method. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table subscriptions add column is_elsewhere smallint not null default 0`.execute(db)
  await sql`update subscriptions set is_elsewhere = 1 where ${BROUGHT}`.execute(db)
  await sql`update licenses set is_cancelled = 0 where is_cancelled = 1 and (
    id in (select license_id from subscriptions where ${GIVEN_UP}) or exists (
      select 1 from licenses as parent where parent.id = licenses.parent_license_id
        and parent.updated = licenses.updated
        and parent.id in (select license_id from subscriptions where ${GIVEN_UP})))`.execute(db)
  await sql`update product_users set is_paying = 1 where exists (select 1 from subscriptions
    where subscriptions.user_id = product_users.user_id and subscriptions.product_id = product_users.product_id
      and subscriptions.environment = 0 and ${GIVEN_UP})`.execute(db)
  await sql`update subscriptions set canceled_at = null, next_payment = period_anchor, ${NOTHING_OWED}
    where ${GIVEN_UP}`.execute(db)
  await sql`update subscriptions set ${NOTHING_OWED} where is_elsewhere = 1 and canceled_at is null`.execute(
    db,
  )
}
