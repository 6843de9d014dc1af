import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What was brought into accounts, and which rows. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table imports (
    id ${id},
    developer_id bigint not null references developers (id),
    source ${text} not null,
    state ${text} not null,
    kind ${text} not null,
    added bigint not null,
    changed bigint not null,
    kept bigint not null,
    fence bigint not null,
    created ${text} not null,
    finished_at ${text})`.execute(db)
  await sql`create index imports_of_account on imports (developer_id, id)`.execute(db)
  await sql`create unique index imports_running on imports (developer_id, source)
    where state = 'running'`.execute(db)
  await sql`create table imported_rows (
    developer_id bigint not null references developers (id),
    kind ${text} not null,
    row_key ${text} not null,
    import_id bigint not null,
    hash ${text} not null,
    was_here integer not null,
    primary key (developer_id, kind, row_key))`.execute(db)
}
