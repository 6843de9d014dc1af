import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table subscriptions add column started_at ${text} not null default ''`.execute(db)
  await sql`update subscriptions set started_at = created`.execute(db)
  await sql`update subscriptions set period_anchor = next_payment
    where source > 0 and next_payment is not null and period_anchor = period_start`.execute(db)
  await sql`alter table subscriptions add column reminded_for ${text}`.execute(db)
  const waits = sql`billing_cycle = 12 and due_at is not null and next_payment <> coalesce(reminded_for, '')`
  await sql`create index subscriptions_to_remind on subscriptions (next_payment, id)
    where environment = 0 and ${waits}`.execute(db)
  await sql`create index subscriptions_to_remind_in_sandbox on subscriptions (product_id, next_payment, id)
    where environment = 1 and ${waits}`.execute(db)
  await sql`create index payments_counted on payments (product_id, type, is_renewal, gross)
    where environment = 0`.execute(db)
  await sql`create index charges_declined on charges (product_id)
    where environment = 0 and purpose = 'purchase' and state = 'declined'`.execute(db)
}
