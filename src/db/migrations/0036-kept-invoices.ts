import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What an invoice says; a job keeps those that were issued before. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table invoices add column content ${text}`.execute(db)
  // The job `keep-invoices`: invoices without content, oldest first.
  await sql`create index invoices_unkept on invoices (id) where content is null`.execute(db)
}
