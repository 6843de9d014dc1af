import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** The method of payment of a charge that a gateway has reported and that is settled later, sealed. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table gateway_events add column method ${wordsOf(engine).text}`.execute(db)
}
