import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** The last run of a job is the last sign of life that an earlier schema has. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id } = wordsOf(engine)
  await sql`alter table products add column charge_arrears smallint not null default 0`.execute(db)
  await sql`create table renewal_watch (
    id ${id},
    beat_at bigint not null,
    held_at bigint)`.execute(db)
  await sql`insert into renewal_watch (id, beat_at)
    select 1, max(last_finished_at) from jobs having max(last_finished_at) is not null`.execute(db)
}
