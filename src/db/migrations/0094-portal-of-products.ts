import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What a seller says of the portal of a product, as a setting of its own; and which access tokens are of the portal. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of LISTS)
    await sql`alter table products add column ${sql.ref(column)} ${text} not null default '[]'`.execute(db)
  for (const column of TEXTS)
    await sql`alter table products add column ${sql.ref(column)} ${text}`.execute(db)
  await sql`alter table access_tokens add column is_portal smallint not null default 0`.execute(db)
}

const LISTS = ['portal_off', 'portal_embed_hosts']

const TEXTS = ['portal_greeting_en', 'portal_greeting_de', 'portal_help_en', 'portal_help_de']
