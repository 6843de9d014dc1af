import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What a person has chosen to be written in; null: what their last site says. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table users add column language ${wordsOf(engine).text}`.execute(db)
}
