import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const counted = [countRows(engine, 'product_users', 'user_id'), countRows(engine, 'events', 'id')]
  const statements = [...listMarks(wordsOf(engine)), ...counted.flat(), ...userLists]
  for (const statement of statements) await statement.execute(db)
}

const listMarks = ({ text }: Words) => [
  sql`create table list_marks (
    list ${text} not null,
    product_id bigint not null,
    from_id bigint not null,
    row_count bigint not null,
    primary key (list, product_id, from_id))`,
]

const userLists = [
  // The list of users who have never paid, newest first.
  sql`create index product_users_never_paid on product_users (product_id, user_id) where gross = 0`,
]
