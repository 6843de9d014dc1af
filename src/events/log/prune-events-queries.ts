import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Ids grow with time, so what is old stands at the beginning; how many there go at once. */
interface Old<T> {
  readonly until: T
  readonly limit: number
}

/** Deletes attempts that were begun by `until`, milliseconds, the oldest first; returns how many. */
export async function deleteOldAttempts(db: Writer, { until, limit }: Old<number>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivery_attempts where id in (
      select id from (select id, at from delivery_attempts order by id limit ${limit}) as first
      where at <= ${until})`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes settled events of `until` and before with all that tells of their delivery, of each at most `limit` rows at
 * once; returns `limit` while more may be left.
 */
export async function deleteOldEvents(db: Writer, { until, limit }: Old<UtcTime>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from (select id, created, state from events order by id limit ${limit}) as first
    where created <= ${until} and state <> 'pending'`.execute(db)
  if (rows.length === 0) return 0
  const ids = sql.join(rows.map(({ id }) => id))
  const ofThese = sql`select id from deliveries where event_id in (${ids})`
  const parts = [
    sql`delete from delivery_attempts where id in (
      select id from delivery_attempts where delivery_id in (${ofThese}) limit ${limit})`,
    sql`delete from deliveries where id in (${ofThese} limit ${limit})`,
  ]
  for (const part of parts) {
    const { numAffectedRows } = await part.execute(db)
    if (numAffectedRows === BigInt(limit)) return limit
  }
  const { numAffectedRows } = await sql`delete from events where id in (${ids})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes removed listeners of which nothing is kept; returns how many. */
export async function deleteRemovedWebhooks(db: Writer, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhooks where id in (
      select id from webhooks where deleted_at is not null
        and not exists (select 1 from deliveries where webhook_id = webhooks.id) limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
