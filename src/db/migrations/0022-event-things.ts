import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  await sql`alter table events add column thing ${wordsOf(engine).text}`.execute(db)
}
