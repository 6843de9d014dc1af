import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  await sql`create table failed_rows (
    id ${id},
    job ${text} not null,
    row_id bigint not null,
    failures bigint not null,
    until_ms bigint,
    failed_at bigint not null,
    last_error ${text} not null)`.execute(db)
  // A job has one note of a row that it failed at; whether the row is left alone.
  await sql`create unique index failed_rows_row on failed_rows (job, row_id)`.execute(db)
  // The job `prune`: rows that are tried again; `doctor`: those that are left alone for good.
  await sql`create index failed_rows_until on failed_rows (until_ms)`.execute(db)
}
