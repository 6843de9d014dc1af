import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'
import { sequenceColumn } from '../event-sequence.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  for (const statement of sequenceColumn(engine)) await statement.execute(db)
  const words = wordsOf(engine)
  const subjects = [events, webhooks, deliveries, attempts]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const events = () => [
  sql`alter table events add column is_spread smallint not null default 0`,
  // The events of a product after a place in the order of commits.
  sql`create index events_in_sequence on events (product_id, seq)`,
  // The job `deliver-events`: events to fan out, in the order of commits.
  sql`create index events_to_spread on events (seq) where state = 'pending' and is_spread = 0`,
]

const webhooks = ({ id, text }: Words) => [
  sql`create table webhooks (
    id ${id},
    developer_id bigint not null references developers (id),
    product_id bigint not null references products (id),
    url ${text} not null,
    types ${text},
    is_active smallint not null,
    off_reason ${text},
    secret ${text} not null,
    previous_secret ${text},
    previous_until bigint,
    failures bigint not null default 0,
    failing_since bigint,
    deleted_at ${text},
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    created ${text} not null,
    updated ${text})`,
  // The list of a product's listeners, newest first; who listens to an event.
  sql`create index webhooks_of_product on webhooks (product_id, id)`,
  // The listeners of a seller; no query reads by it.
  sql`create index webhooks_of_developer on webhooks (developer_id)`,
  // The job `deliver-events`: listeners to tell, longest due first.
  sql`create index webhooks_due on webhooks (due_at, id) where due_at is not null`,
]

const deliveries = ({ id, text }: Words) => [
  sql`create table deliveries (
    id ${id},
    product_id bigint not null,
    webhook_id bigint not null references webhooks (id),
    event_id bigint not null references events (id),
    order_key ${text} not null,
    state ${text} not null,
    attempts bigint not null,
    due_at bigint,
    created ${text} not null,
    updated ${text},
    unique (webhook_id, event_id))`,
  // Whether deliveries of an event are left, and how they ended.
  sql`create index deliveries_of_event on deliveries (event_id, state)`,
  // The list of a listener's deliveries, newest first.
  sql`create index deliveries_of_webhook on deliveries (webhook_id, id)`,
  // The list of a listener's deliveries in a state, newest first.
  sql`create index deliveries_in_state on deliveries (webhook_id, state, id)`,
  // The job `deliver-events`: what is due to a listener, longest due first.
  sql`create index deliveries_due on deliveries (webhook_id, due_at, id) where due_at is not null`,
  // The earlier deliveries of a buyer, for which a later one waits.
  sql`create index deliveries_in_order on deliveries (webhook_id, order_key, id)
    where state = 'pending' and attempts < 5`,
]

const attempts = ({ id, text }: Words) => [
  sql`create table delivery_attempts (
    id ${id},
    product_id bigint not null,
    webhook_id bigint not null,
    delivery_id bigint not null references deliveries (id),
    event_id bigint not null,
    at bigint not null,
    duration_ms bigint not null,
    status bigint,
    answer ${text},
    error ${text},
    next_at bigint)`,
  // The list of attempts at one event, newest first.
  sql`create index delivery_attempts_of_delivery on delivery_attempts (delivery_id, id)`,
  // The list of a listener's attempts, newest first.
  sql`create index delivery_attempts_of_webhook on delivery_attempts (webhook_id, id)`,
]
