import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  for (const column of ['invited_email', 'invited_first', 'invited_last']) {
    await sql`alter table members add column ${sql.ref(column)} ${text} not null default ''`.execute(db)
  }
  await sql`alter table members add column accepted_at ${text}`.execute(db)
  // Who had a password was in the team at once; the others have their invitation.
  await sql`update members set accepted_at = created
    where person_id in (select id from developers where password_hash is not null)`.execute(db)
  await sql`update members set
    invited_email = (select email from developers where developers.id = members.person_id),
    invited_first = (select first from developers where developers.id = members.person_id),
    invited_last = (select last from developers where developers.id = members.person_id)`.execute(db)
  await sql`create index products_by_icon on products (icon) where icon is not null`.execute(db)
  await sql`create index reviews_by_picture on reviews (picture) where picture <> ''`.execute(db)
  await sql`create index pictures_age on pictures (created)`.execute(db)
  for (const statement of countRows(engine, 'coupons', 'id', { goneAt: 'deleted_at' }))
    await statement.execute(db)
}
