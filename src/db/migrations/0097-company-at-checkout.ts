import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** The company that is bought for, and its address, as a checkout was told. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of ['business_name', 'address_street', 'address_apt', 'address_city'])
    await sql`alter table checkouts add column ${sql.ref(column)} ${text}`.execute(db)
}
