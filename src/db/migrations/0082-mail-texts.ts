import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** A product has texts of its own for its mails, and what was mailed about it is listed. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`create table own_mail_texts (product_id bigint primary key references products (id),
    texts ${text} not null)`.execute(db)
  await sql`create index mails_of_product on mails (product_id, id) where product_id is not null`.execute(db)
  await sql`create index mails_in_state on mails (product_id, state, id) where product_id is not null`.execute(
    db,
  )
  await sql`create index mails_of_product_user on mails (product_id, user_id, id)
    where product_id is not null and user_id is not null`.execute(db)
}
