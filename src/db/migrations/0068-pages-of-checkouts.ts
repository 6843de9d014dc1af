import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What a seller says of the pages of its checkout, as a setting of its own; and in which language a buyer reads. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of ADDRESSES)
    await sql`alter table products add column ${sql.ref(column)} ${text}`.execute(db)
  const list = sql`alter table products add column embed_hosts ${text} not null default '[]'`
  await list.execute(db)
  await sql`alter table products add column keywright_badge smallint not null default 1`.execute(db)
  await sql`alter table checkouts add column language ${text}`.execute(db)
}

const ADDRESSES = [
  'checkout_redirect_url',
  'recovery_url',
  'terms_url',
  'privacy_url',
  'checkout_accent',
  'checkout_logo_url',
  'support_email',
]
