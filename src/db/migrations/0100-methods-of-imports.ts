import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** The file of methods of payment beside that of an import. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table imports add column methods_file ${text}`.execute(db)
  await sql`create index imports_by_methods_file on imports (methods_file) where methods_file is not null`.execute(
    db,
  )
}
