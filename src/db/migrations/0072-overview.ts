import { sql } from 'kysely'
import type { Writer } from '../database.ts'

/** What is counted of a product, or of all of an account: few rows among many. */
export async function up(db: Writer): Promise<void> {
  // Subscriptions that are tried again, as their renewal was declined.
  await sql`create index subscriptions_failing on subscriptions (product_id, environment)
    where failed_payments > 0 and canceled_at is null`.execute(db)
  // Trials that run.
  await sql`create index trials_running on trials (product_id, environment)
    where notice_at is not null`.execute(db)
}
