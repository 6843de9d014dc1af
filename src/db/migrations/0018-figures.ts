import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const statements = [...begins(wordsOf(engine)), ...reminders(wordsOf(engine)), ...totals]
  for (const statement of statements) await statement.execute(db)
}

const begins = ({ text }: Words) => [
  sql`alter table subscriptions add column started_at ${text} not null default ''`,
  sql`update subscriptions set started_at = created`,
  sql`update subscriptions set period_anchor = next_payment
    where source > 0 and next_payment is not null and period_anchor = period_start`,
]

const WAITS = sql`billing_cycle = 12 and due_at is not null and next_payment <> coalesce(reminded_for, '')`

const reminders = ({ text }: Words) => [
  sql`alter table subscriptions add column reminded_for ${text}`,
  // The job `remind`: renewals that nobody was told of, the next ones first.
  sql`create index subscriptions_to_remind on subscriptions (next_payment, id)
    where environment = 0 and ${WAITS}`,
  // Renewals of one sandbox that nobody was told of; which sandboxes have one.
  sql`create index subscriptions_to_remind_in_sandbox on subscriptions (product_id, next_payment, id)
    where environment = 1 and ${WAITS}`,
]

const totals = [
  // The job `count-sales`: purchases, renewals and earnings of a product.
  sql`create index payments_counted on payments (product_id, type, is_renewal, gross)
    where environment = 0`,
  // The job `count-sales`: purchases of a product that were declined.
  sql`create index charges_declined on charges (product_id)
    where environment = 0 and purpose = 'purchase' and state = 'declined'`,
]
