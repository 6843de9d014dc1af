import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** Lists that are written to files. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table exports (
    id ${id},
    developer_id bigint not null references developers (id),
    maker ${text} not null,
    hides ${text} not null,
    kind ${text} not null,
    asked ${text} not null,
    columns ${text} not null,
    time_zone ${text} not null,
    format ${text} not null,
    state ${text} not null,
    failures integer not null,
    row_count bigint not null,
    progress integer not null,
    file ${text},
    size bigint,
    error ${text},
    created ${text} not null,
    finished_at ${text},
    expires_at ${text},
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null)`.execute(db)
  await sql`create index exports_of_account on exports (developer_id, id)`.execute(db)
  // The job `write-exports`.
  await sql`create index exports_due on exports (due_at, id) where due_at is not null`.execute(db)
  // Which files are kept, and the job `prune`.
  await sql`create index exports_by_file on exports (file) where file is not null`.execute(db)
  await sql`create index exports_by_age on exports (created)`.execute(db)
}
