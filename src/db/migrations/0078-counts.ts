import { sql } from 'kysely'
import { countTriggers } from '../count-triggers.ts'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/** What a seller sees at first is counted as it is written. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { id, text } = wordsOf(engine)
  const columns = sql`what ${text} not null, owner_id bigint not null, until ${text} not null,
    number bigint not null`
  await sql`create table counts (${columns}, primary key (what, owner_id, until))`.execute(db)
  await sql`create table count_changes (id ${id}, ${columns})`.execute(db)
  await sql`create table account_customers (developer_id bigint not null, user_id bigint not null,
    products integer not null, primary key (developer_id, user_id))`.execute(db)
  for (const statement of countTriggers(engine)) await statement.execute(db)
  // What ends in the course of a day is counted by the index alone.
  await sql`drop index licenses_by_expiration`.execute(db)
  await sql`create index licenses_by_expiration
    on licenses (product_id, expiration, id, is_cancelled, environment) where expiration is not null`.execute(
    db,
  )
}
