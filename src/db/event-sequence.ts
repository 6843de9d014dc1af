import { sql, type RawBuilder } from 'kysely'
import type { Database, Engine, Writer } from './database.ts'
import { unscoped } from './scoped.ts'

/** How many events are numbered at once. */
const BATCH = 1_000

/**
 * The column `events.seq`: ids are given before commit, so only what is numbered after it can be read in order
 * (`docs/decisions.md` 6.7). On SQLite, where one transaction at a time writes, ids are in the order of commits.
 */
export const sequenceColumn = (engine: Engine): RawBuilder<unknown>[] =>
  engine === 'postgres'
    ? [
        sql`create sequence events_sequence`,
        sql`alter table events add column seq bigint`,
        // The job `deliver-events`: events to number, oldest first.
        sql`create index events_unnumbered on events (id) where seq is null`,
      ]
    : [sql`alter table events add column seq bigint generated always as (id) virtual`]

/**
 * Whether this transaction may number and fan out events, which is done by one at a time; until its end nobody else
 * may.
 */
export async function takeSequence(db: Writer, engine: Engine): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(7239466) as taken`.execute(
    db,
  )
  return rows[0]?.taken === true
}

/** Numbers events that were committed and have no number yet; true when there may be more. Holds the sequence. */
export async function numberEvents(db: Writer, engine: Engine): Promise<boolean> {
  if (engine === 'sqlite') return false
  const { numAffectedRows } = await sql`
    with free as materialized (
      select id, nextval('events_sequence') as seq from (
        select id from events where seq is null order by id limit ${BATCH}) as first)
    update events set seq = free.seq from free where events.id = free.id`.execute(db)
  return numAffectedRows === BigInt(BATCH)
}

/** Whether there is an event without a number; ordered as its index is. */
export const anyUnnumbered = (engine: Engine): RawBuilder<boolean> =>
  engine === 'postgres'
    ? sql`(select id from events where seq is null order by id limit 1) is not null`
    : sql`false`

/** Locks events until the end of the transaction, so that who ends the last of their deliveries sees the others. */
export async function lockEvents(db: Writer, engine: Engine, ids: readonly number[]): Promise<void> {
  if (engine === 'sqlite' || ids.length === 0) return
  await sql`select id from events where id in (${sql.join(ids)}) order by id for no key update`.execute(db)
}

/**
 * The place of the event that was numbered last, of all sellers; on PostgreSQL perhaps one that is about to be
 * committed.
 */
export async function newestPlace({ engine, reader }: Database): Promise<number> {
  const place =
    engine === 'postgres'
      ? sql<{ place: number }>`select last_value as place from events_sequence`
      : sql<{ place: number }>`select coalesce(max(id), 0) as place from events`
  const { rows } = await place.execute(unscoped(reader, 'a number that names no event of anybody'))
  return rows[0]?.place ?? 0
}
