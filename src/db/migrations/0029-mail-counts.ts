import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`create table mail_counts (
    name ${text} primary key,
    count bigint not null,
    until_ms bigint not null)`.execute(db)
  // The job `prune`: counts whose hour is over.
  await sql`create index mail_counts_until on mail_counts (until_ms)`.execute(db)
}
