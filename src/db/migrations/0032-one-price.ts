import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Prices that stood twice stay, as licenses hold them; the visible and oldest one of them counts as the first. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table pricing add column twin_of bigint not null default 0`.execute(db)
  await sql`update pricing set twin_of = first.id from (
      select id, plan_id, currency, coalesce(licenses, 0) as licenses, row_number() over (
        partition by plan_id, currency, coalesce(licenses, 0) order by is_hidden, id) as place from pricing) as first
    where first.place = 1 and first.id <> pricing.id and first.plan_id = pricing.plan_id
      and first.currency = pricing.currency and first.licenses = coalesce(pricing.licenses, 0)`.execute(db)
  // One price a plan for a number of licenses in a currency.
  await sql`create unique index pricing_once on pricing (plan_id, currency, coalesce(licenses, 0))
    where twin_of = 0`.execute(db)
}
