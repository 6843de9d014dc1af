import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** Whole accounts that the server writes to files, and what of another platform an import has no place for. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  // One of an account is under way at a time.
  await sql`create unique index exports_of_whole_account on exports (developer_id)
    where kind = 'account' and due_at is not null`.execute(db)
  await sql`alter table imports add column aside ${text} not null default '[]'`.execute(db)
  await sql`alter table imports add column does_not_fit ${text} not null default '[]'`.execute(db)
}
