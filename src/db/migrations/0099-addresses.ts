import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/**
 * The link at the address that a user has, beside that at the one it wants, and which of both was followed. What was
 * begun with an address that was only typed is found by it, as whoever is erased has to have it ended at once.
 */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of ['former_hash', 'former_at', 'wanted_at'])
    await sql`alter table email_confirmations add column ${sql.ref(column)} ${text}`.execute(db)
  await sql`create unique index email_confirmations_former on email_confirmations (former_hash)
    where former_hash is not null`.execute(db)
  await sql`create index checkouts_typed on checkouts (lower(email)) where user_id is null`.execute(db)
}
