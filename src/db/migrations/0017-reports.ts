import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [payments, reports, charges, provisionalTaxes]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const payments = ({ text }: Words) => [sql`alter table payments add column region ${text}`]

const reports = ({ text }: Words) => [
  sql`alter table gateway_events add column refund_id ${text}`,
  sql`alter table gateway_events add column report ${text}`,
  sql`alter table gateway_events add column due_at bigint`,
  // The job `settle-reports`: reports that wait, longest due first.
  sql`create index gateway_events_due on gateway_events (due_at, id) where due_at is not null`,
  // What was reported of a refund.
  sql`create index gateway_events_of_refund on gateway_events (refund_id) where refund_id is not null`,
  // The job `prune`: reports that were taken long ago.
  sql`create index gateway_events_created on gateway_events (created, id)`,
]

const charges = () => [
  // What a gateway was paid in the sandbox lately.
  sql`create index charges_settled_in_sandbox on charges (settled_at, id)
    where environment = 1 and settled_at is not null`,
]

const provisionalTaxes = ({ id, text }: Words) => [
  sql`create table provisional_taxes (
    id ${id},
    payment_id bigint not null unique references payments (id),
    product_id bigint not null references products (id),
    state ${text} not null,
    attempts bigint not null,
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    created ${text} not null,
    updated ${text})`,
  // The provisional taxes of a product; no query reads by it.
  sql`create index provisional_taxes_of_product on provisional_taxes (product_id, id)`,
  // The job `settle-taxes`: VAT ids to be checked again, longest due first.
  sql`create index provisional_taxes_due on provisional_taxes (due_at, id)
    where due_at is not null`,
]
