import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table webhooks add column hides ${text} not null default ''`.execute(db)
  await sql`alter table webhooks add column hides_since bigint not null default 0`.execute(db)
}
