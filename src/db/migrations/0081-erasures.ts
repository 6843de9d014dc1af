import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { redactable, wordsOf } from '../dialect.ts'

/** Persons are erased by a job, which redacts what the audit log says of them. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table erasures (
    id ${id},
    developer_id bigint not null references developers (id),
    user_id bigint not null references users (id),
    addresses ${text},
    place integer not null default 0,
    after_id bigint not null default 0,
    round smallint not null default 1,
    created ${text} not null,
    finished_at ${text},
    due_at bigint,
    lease_until bigint not null default 0,
    fence bigint not null default 0)`.execute(db)
  await sql`create unique index erasures_of_user on erasures (user_id)`.execute(db)
  await sql`create index erasures_of_developer on erasures (developer_id)`.execute(db)
  await sql`create index erasures_due on erasures (due_at, id) where due_at is not null`.execute(db)
  for (const statement of redactable(engine)) await statement.execute(db)
}
