import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { orderKey } from '../../db/event-listeners.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { EventsTable } from '../../db/tables/events.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { WebhookRow } from './webhook.entity.ts'

/** The event, when the product has it. */
export const findEvent = (db: Reader, owner: Owner, eventId: number) =>
  scoped(db, 'events', owner).select().select('id').where('id', '=', eventId).executeTakeFirst()

/** The event so many after another one; undefined when there are fewer. */
export const nthAfter = (db: Reader, owner: Owner, { id, n }: { readonly id: number; readonly n: number }) =>
  scoped(db, 'events', owner)
    .select()
    .select('id')
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .offset(n - 1)
    .executeTakeFirst()

/**
 * The id of an event, or a delivery, shortly before `time` at most, by halves, as ids grow with time but for what was
 * written side by side.
 */
export async function idBefore(
  db: Reader,
  owner: Owner,
  time: UtcTime,
  table: 'events' | 'deliveries' = 'events',
): Promise<number> {
  const rows = () => scoped(db, table, owner).select().select(['id', 'created'])
  let low = 0
  let high = (await rows().orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = await rows().where('id', '>', middle).orderBy('id').limit(1).executeTakeFirst()
    if (next && next.created < time) low = next.id
    else high = middle
  }
  return low
}

interface Missed {
  readonly webhook: WebhookRow
  readonly from: UtcTime | null
  readonly to: UtcTime | null
  readonly states: readonly EventsTable['state'][]
  /** Null: all. */
  readonly types: readonly string[] | null
  readonly afterId: number
  readonly lastId: number
  readonly limit: number
}

/**
 * Events that stand in these states for a listener, the earliest first. One that it was not sent since it is there
 * is canceled for it, one from before it stands as the log says; what another one is sent to try it is left out.
 */
export async function findMissed(db: Reader, owner: Owner, missed: Missed): Promise<number[]> {
  const { webhook, from, to, states, types, afterId, lastId, limit } = missed
  const state = sql`case when mine.state is not null then mine.state
    when events.created >= ${webhook.created} then 'canceled' else events.state end`
  let query = scoped(db, 'events', owner)
    .select()
    .leftJoin('deliveries as mine', (join) =>
      join.onRef('mine.event_id', '=', 'events.id').on('mine.webhook_id', '=', webhook.id),
    )
    .select('events.id')
    .where('events.id', '>', afterId)
    .where('events.id', '<=', lastId)
    .where(sql<boolean>`${state} in (${sql.join(states)})`)
    .where(sql<boolean>`not (events.state = 'pending' and events.is_spread = 0)`)
    .where(
      sql<boolean>`(mine.id is not null or not exists (select 1 from deliveries as trial
        where trial.event_id = events.id and trial.order_key = 'e' || events.id))`,
    )
  if (types !== null) query = query.where('events.type', 'in', types)
  if (from !== null) query = query.where('events.created', '>=', from)
  if (to !== null) query = query.where('events.created', '<=', to)
  const rows = await query.orderBy('events.id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

interface Again {
  readonly webhookId: number
  readonly eventIds: readonly number[]
  readonly now: number
  readonly time: UtcTime
}

/**
 * Gives a listener deliveries of events, those anew that have ended, and those at once that wait to be tried again;
 * returns of which events. What waits for an earlier one of its buyer goes on waiting.
 */
export async function deliverAgain(db: Writer, { webhookId, eventIds, now, time }: Again): Promise<number[]> {
  const { rows } = await sql<{ event_id: number }>`
    insert into deliveries (product_id, webhook_id, event_id, order_key, state, attempts, due_at, created)
    select product_id, ${webhookId}, id, ${orderKey}, 'pending', 0, ${now}, ${time}
    from events where id in (${sql.join(eventIds)}) order by id
    on conflict (webhook_id, event_id) do update set state = 'pending', due_at = excluded.due_at,
      attempts = case when deliveries.state = 'pending' then deliveries.attempts else 0 end,
      updated = excluded.created where deliveries.state <> 'pending' or deliveries.due_at is not null
    returning event_id`.execute(db)
  return rows.map((row) => row.event_id)
}

/** Lets events wait again for their deliveries; none is fanned out that was not waiting to be. */
export const reopenEvents = (db: Writer, owner: Owner, eventIds: readonly number[]) =>
  scopedWrite(db, 'events', owner)
    .update()
    .set({
      state: 'pending',
      process_time: null,
      is_spread: sql<boolean>`case when state = 'pending' then is_spread else 1 end`,
    })
    .where('id', 'in', eventIds)
    .execute()

/** Gives an event to one listener alone, behind nobody. */
export async function deliverOnly(
  db: Writer,
  {
    productId,
    eventId,
    ...to
  }: Omit<Again, 'eventIds'> & { readonly productId: number; readonly eventId: number },
): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({
      product_id: productId,
      webhook_id: to.webhookId,
      event_id: eventId,
      order_key: `e${eventId}`,
      state: 'pending',
      attempts: 0,
      due_at: to.now,
      created: to.time,
      updated: null,
    })
    .execute()
  await unscoped(db, 'the event that was just written')
    .updateTable('events')
    .set({ state: 'pending', process_time: null, is_spread: true })
    .where('id', '=', eventId)
    .execute()
}
