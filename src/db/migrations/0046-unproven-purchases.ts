import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** Which licenses were got for nothing for an address that was only typed, and which redemptions came with them. */
export async function up(db: Writer): Promise<void> {
  await sql`alter table licenses add column is_unproven smallint not null default 0`.execute(db)
  await sql`alter table coupon_redemptions add column license_id bigint references licenses (id) on delete set null`.execute(
    db,
  )
  // The redemptions that came with a license which was got for nothing.
  await sql`create index coupon_redemptions_of_license on coupon_redemptions (license_id)
    where license_id is not null`.execute(db)
}
