import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/**
 * What was brought along without a method of payment is paid elsewhere whatever gateway it names, so that nothing of it
 * falls due here.
 */
export async function up(db: Writer): Promise<void> {
  await sql`update subscriptions set is_elsewhere = 1, due_at = null, attempt = 0, lease_until = 0
    where source > 0 and payment_method_id is null and is_elsewhere = 0`.execute(db)
}
