import { sql } from 'kysely'
import type { Database, Writer } from './database.ts'
import { unscoped } from './scoped.ts'

/** Whether more than `rest` changes of counts wait to be added to them; never on SQLite, where none do. */
export async function waitMoreThan({ engine, reader }: Database, rest: number): Promise<boolean> {
  if (engine === 'sqlite') return false
  const changes = unscoped(reader, 'changes of counts of all sellers').selectFrom('count_changes')
  return (await changes.select('id').offset(rest).limit(1).executeTakeFirst()) !== undefined
}

/**
 * Adds up to `limit` changes to their counts and removes them, in one statement, on PostgreSQL. Who does the same
 * meanwhile takes others. Returns how many there were.
 */
export async function foldChanges(db: Writer, limit: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    with taken as materialized (
      delete from count_changes where id in
        (select id from count_changes order by id limit ${limit} for update skip locked)
      returning what, owner_id, until, number),
    added as (
      insert into counts (what, owner_id, until, number)
      select what, owner_id, until, sum(number) from taken group by what, owner_id, until
      order by what, owner_id, until
      on conflict (what, owner_id, until) do update set number = counts.number + excluded.number)
    select count(*) as changes from taken`.execute(db)
  return Number(rows[0]?.changes ?? 0)
}
