import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** A redemption names a license as long as that was got for nothing for an address that was typed. */
export async function up(db: Writer): Promise<void> {
  await sql`update coupon_redemptions set license_id = null
    where license_id in (select id from licenses where is_unproven = 0)`.execute(db)
}
