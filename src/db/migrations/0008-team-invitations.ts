import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const coupons = countRows(engine, 'coupons', 'id', { goneAt: 'deleted_at' })
  const statements = [...invitations(wordsOf(engine)), ...pictures, ...coupons]
  for (const statement of statements) await statement.execute(db)
}

const invitations = ({ text }: Words) => [
  ...['invited_email', 'invited_first', 'invited_last'].map(
    (column) => sql`alter table members add column ${sql.ref(column)} ${text} not null default ''`,
  ),
  sql`alter table members add column accepted_at ${text}`,
  // Who had a password was in the team at once; the others have their invitation.
  sql`update members set accepted_at = created
    where person_id in (select id from developers where password_hash is not null)`,
  sql`update members set
    invited_email = (select email from developers where developers.id = members.person_id),
    invited_first = (select first from developers where developers.id = members.person_id),
    invited_last = (select last from developers where developers.id = members.person_id)`,
]

const pictures = [
  // The job `prune`: whether a picture is the icon of a product.
  sql`create index products_by_icon on products (icon) where icon is not null`,
  // The job `prune`: whether a picture is in a review.
  sql`create index reviews_by_picture on reviews (picture) where picture <> ''`,
  // The job `prune`: pictures that were not uploaded lately.
  sql`create index pictures_age on pictures (created)`,
]
