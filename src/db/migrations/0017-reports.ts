import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`alter table payments add column region ${text}`.execute(db)
  await sql`alter table gateway_events add column refund_id ${text}`.execute(db)
  await sql`alter table gateway_events add column report ${text}`.execute(db)
  await sql`alter table gateway_events add column due_at bigint`.execute(db)
  await sql`create index gateway_events_due on gateway_events (due_at, id) where due_at is not null`.execute(
    db,
  )
  await sql`create index gateway_events_of_refund on gateway_events (refund_id) where refund_id is not null`.execute(
    db,
  )
  await sql`create index gateway_events_created on gateway_events (created, id)`.execute(db)
  await sql`create index charges_settled_in_sandbox on charges (settled_at, id)
    where environment = 1 and settled_at is not null`.execute(db)
  await sql`create table provisional_taxes (
    id ${id}, payment_id bigint not null unique references payments (id),
    product_id bigint not null references products (id), state ${text} not null, attempts bigint not null,
    due_at bigint, lease_until bigint not null, fence bigint not null, created ${text} not null, updated ${text})`.execute(
    db,
  )
  await sql`create index provisional_taxes_of_product on provisional_taxes (product_id, id)`.execute(db)
  await sql`create index provisional_taxes_due on provisional_taxes (due_at, id)
    where due_at is not null`.execute(db)
}
