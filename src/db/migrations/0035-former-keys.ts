import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table former_keys (
    id ${id},
    owner ${text} not null,
    owner_id bigint not null,
    secret_key ${text} not null,
    until_ms bigint not null,
    created ${text} not null)`.execute(db)
  // The former secret keys of who signs, latest first.
  await sql`create index former_keys_of_owner on former_keys (owner, owner_id, id)`.execute(db)
  // The job `prune`: keys whose overlap is over.
  await sql`create index former_keys_over on former_keys (until_ms)`.execute(db)
}
