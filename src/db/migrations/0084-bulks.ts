import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What is done to many rows at once, and what came of it for each. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table bulks (
    id ${id},
    developer_id bigint not null references developers (id),
    product_id bigint not null references products (id),
    maker ${text} not null,
    action ${text} not null,
    asked ${text} not null,
    is_dry_run smallint not null,
    state ${text} not null,
    below bigint not null,
    failures integer not null,
    total bigint not null,
    done bigint not null,
    failed bigint not null,
    error ${text},
    created ${text} not null,
    finished_at ${text},
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null)`.execute(db)
  await sql`create index bulks_of_product on bulks (product_id, id)`.execute(db)
  // The job `run-bulks`.
  await sql`create index bulks_due on bulks (due_at, id) where due_at is not null`.execute(db)
  // The job `prune`.
  await sql`create index bulks_by_age on bulks (created)`.execute(db)
  await sql`create table bulk_items (
    bulk_id bigint not null references bulks (id) on delete cascade,
    item_id bigint not null,
    state ${text} not null,
    code ${text},
    message ${text},
    changes ${text},
    primary key (bulk_id, item_id))`.execute(db)
  await sql`create index bulk_items_by_state on bulk_items (bulk_id, state, item_id)`.execute(db)
}
