import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** In which language and time zone a person is shown the dashboard; null: as the browser says. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table developers add column language ${text}`.execute(db)
  await sql`alter table developers add column zone ${text}`.execute(db)
}
