import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** Until when what was used once may be used again, as a mailed link is that is opened twice; null: never. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table used_proofs add column again_until ${text}`.execute(db)
}
