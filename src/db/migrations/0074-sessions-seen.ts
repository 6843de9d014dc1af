import { sql } from 'kysely'
import { wordsOf } from '../dialect.ts'
import type { Engine, Writer } from '../database.ts'

/** Where a person is logged in: from which address and by which browser it last called, and when. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table sessions add column last_used_ip ${text}`.execute(db)
  await sql`alter table sessions add column last_used_agent ${text}`.execute(db)
  await sql`alter table sessions add column last_used_at bigint`.execute(db)
}
