import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What a buyer agreed to at a checkout; of those before nobody was asked, and nobody knows it. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  const columns = [
    // How the page that opened it asks for consent to marketing.
    sql`gdpr text not null default 'default'`,
    // What the buyer said of it; null: nobody asked.
    sql`is_marketing_allowed smallint`,
    // That the right to withdraw is lost: the text as it was shown, which may be another one since.
    sql`waiver ${text}`,
    // When that was agreed to: a seller has to show both.
    sql`waived_at ${text}`,
  ]
  for (const column of columns) await sql`alter table checkouts add column ${column}`.execute(db)
}
