import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** Until when a subscription that its buyer or seller cancelled can go on as it was; earlier ones cannot. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table subscriptions add column resumes_at ${text}`.execute(db)
}
