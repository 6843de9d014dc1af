import { sql } from 'kysely'
import type { Database, Engine, Reader, Writer } from '../../db/database.ts'
import { listensTo, orderKey } from '../../db/event-listeners.ts'
import { anyUnnumbered } from '../../db/event-sequence.ts'
import { columnHasCome, type Due, dueWithin } from '../../db/has-come.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { DeliveryRow } from '../listeners/delivery.entity.ts'
import type { WebhookRow } from '../listeners/webhook.entity.ts'
import { DAY, type UtcTime } from '../../lib/time.ts'

const CLAIMED = 'of a listener that the job has claimed'

/**
 * An event waits for the earlier ones of its buyer through so many attempts (`docs/decisions.md` 6.6); an index names
 * it.
 */
export const ORDERED = 5
const ordered = sql.lit(ORDERED)

/** The farthest ahead that a delivery is due and a listener is left alone. */
export const WITHIN_MS = 2 * DAY

/** Ordered as its index is, so that no plan reads all events: it may be kept from when there were few. */
const anyToSpread = sql`(select seq from events where state = 'pending' and is_spread = 0
  order by seq limit 1) is not null`

const looking = (engine: Engine) =>
  prepared((db: Reader, { now, past }: Due) => {
    const due = { now, past }
    const query = sql<{ found: number }>`
      select 1 as found where ${anyToSpread} or exists (select 1 from webhooks
          where ${columnHasCome('due_at', due)} and ${columnHasCome('lease_until', due)})
        or ${anyUnnumbered(engine)}`
    return { compile: () => query.compile(db as Writer) }
  })
const looks = { sqlite: looking('sqlite'), postgres: looking('postgres') }

/** Whether there is an event to number or to fan out, or a listener to be told. */
export const anyToTell = async ({ engine, reader }: Database, now: number): Promise<boolean> =>
  (await looks[engine](reader, dueWithin(now, WITHIN_MS))).length > 0

/** Events that wait for their deliveries, in the order of commits. */
export async function findToFanOut(db: Writer, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from events where state = 'pending' and is_spread = 0 and seq is not null
    order by seq limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives each active listener a delivery of each of these events that it listens to, and wakes it. */
export async function fanOut(
  db: Writer,
  eventIds: readonly number[],
  { now, time }: { readonly now: number; readonly time: UtcTime },
): Promise<void> {
  const ids = sql.join(eventIds)
  await sql`
    insert into deliveries (product_id, webhook_id, event_id, order_key, state, attempts, due_at, created)
    select events.product_id, webhooks.id, events.id, ${orderKey}, 'pending', 0, ${now}, ${time}
    from events join webhooks on webhooks.product_id = events.product_id and webhooks.is_active = 1
      and ${listensTo(sql`events.type`)}
    where events.id in (${ids}) order by events.seq
    on conflict (webhook_id, event_id) do nothing`.execute(db)
  const isAwaited = sql`exists (select 1 from deliveries where event_id = events.id)`
  await sql`
    update events set is_spread = 1, state = case when ${isAwaited} then 'pending' else 'canceled' end,
      process_time = case when ${isAwaited} then null else ${time} end
    where id in (${ids})`.execute(db)
  // Whatever it is due: who gives it back at this moment has not seen these, and must be waited for.
  await sql`
    update webhooks set due_at = ${now}
    where id in (select webhook_id from deliveries where event_id in (${ids}))`.execute(db)
}

/** Extends the claim of a listener, and reads it anew; undefined when another process has it. */
export async function holdWebhook(
  db: Writer,
  { id, fence }: WebhookRow,
  leaseUntil: number,
): Promise<WebhookRow | undefined> {
  return unscoped(db, CLAIMED)
    .updateTable('webhooks')
    .set({ lease_until: leaseUntil })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .returningAll()
    .executeTakeFirst()
}

/** Gives a listener back, due when its next delivery is; nobody claims it before `restsUntil`. */
export const releaseWebhook = (db: Writer, { id }: WebhookRow, restsUntil: number) =>
  sql`update webhooks set lease_until = ${restsUntil},
    due_at = (select min(due_at) from deliveries where webhook_id = ${id} and due_at is not null)
    where id = ${id}`.execute(db)

/** Leaves a listener to another process, due as it is. */
export const leaveWebhook = (db: Writer, { id }: WebhookRow) =>
  unscoped(db, CLAIMED).updateTable('webhooks').set({ lease_until: 0 }).where('id', '=', id).execute()

export interface DueDelivery extends DeliveryRow {
  /** The earlier one of its buyer for which it waits; null: it waits for none. */
  readonly behind: number | null
}

/** Of a row of `due`, the one right before it of its buyer at the same listener. */
const behind = sql`case when due.attempts < ${ordered} then (
  select earlier.id from deliveries as earlier where earlier.webhook_id = due.webhook_id
    and earlier.state = 'pending' and earlier.attempts < ${ordered} and earlier.order_key = due.order_key
    and earlier.id < due.id order by earlier.id desc limit 1) end`

/** What a clock has put off that was ahead is due when it has come back, of a listener that nothing else is due to. */
export async function pullIn(db: Writer, { id, due_at: due }: WebhookRow, now: number): Promise<void> {
  if (due === null || due <= now) return
  const { past } = dueWithin(now, WITHIN_MS)
  await sql`update deliveries set due_at = ${now} where webhook_id = ${id} and due_at > ${past}`.execute(db)
}

interface Now {
  readonly now: number
  readonly limit: number
}

/** What is due to a listener, the longest due first. */
export async function findDue(db: Writer, { id }: WebhookRow, { now, limit }: Now): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select due.*, ${behind} as behind
    from deliveries as due where webhook_id = ${id} and due_at <= ${now} order by due_at, id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Lets deliveries wait until an earlier one has ended or given way. */
export const park = (db: Writer, ids: readonly number[]) =>
  sql`update deliveries set due_at = null where id in (${sql.join(ids)})`.execute(db)

interface Freed {
  readonly orderKeys: readonly string[]
  readonly now: number
  /** How many of each buyer. */
  readonly limit: number
}

/** Lets the first deliveries of these buyers go that were parked. */
export const unpark = (db: Writer, { id }: WebhookRow, { orderKeys, now, limit }: Freed) =>
  sql`
    update deliveries set due_at = ${now} where due_at is null and id in (
      select id from (
        select id, row_number() over (partition by order_key order by id) as place from deliveries
        where webhook_id = ${id} and state = 'pending' and attempts < ${ordered}
          and order_key in (${sql.join(orderKeys)})) as first
      where place <= ${limit})`.execute(db)

/** Ends deliveries. */
export const endDeliveries = (
  db: Writer,
  ids: readonly number[],
  { state, attempts, time }: { state: 'processed' | 'error' | 'canceled'; attempts: 0 | 1; time: UtcTime },
) =>
  sql`update deliveries set state = ${state}, due_at = null, updated = ${time}, attempts = attempts + ${attempts}
    where id in (${sql.join(ids)})`.execute(db)

export const retryDelivery = (db: Writer, id: number, { at, time }: { at: number; time: UtcTime }) =>
  sql`update deliveries set attempts = attempts + 1, due_at = ${at}, updated = ${time} where id = ${id}`.execute(
    db,
  )

/**
 * Some of the deliveries that have not ended, of each buyer the latest first: one that waits for an earlier one never
 * stands without it, whenever this is broken off.
 */
export async function findUnended(db: Writer, { id }: WebhookRow, limit: number): Promise<DeliveryRow[]> {
  const of = () =>
    unscoped(db, CLAIMED).selectFrom('deliveries').selectAll().where('webhook_id', '=', id).limit(limit)
  const inOrder = of().where('state', '=', sql.lit('pending')).where('attempts', '<', ordered)
  const rows = await inOrder.orderBy('order_key', 'desc').orderBy('id', 'desc').execute()
  return rows.length > 0 ? rows : of().where('due_at', 'is not', null).execute()
}

/**
 * Settles events of which no delivery is left: `error` when one was given up, else `processed` when one arrived,
 * else `canceled` (`docs/decisions.md` 6.3). Their rows are locked (`lockEvents`).
 */
export const settleEvents = (db: Writer, ids: readonly number[], time: UtcTime) => {
  const any = (state: string) =>
    sql`exists (select 1 from deliveries where event_id = events.id and state = ${sql.lit(state)})`
  return sql`
    update events set process_time = ${time}, updated = ${time}, state = case when ${any('error')} then 'error'
      when ${any('processed')} then 'processed' else 'canceled' end
    where id in (${sql.join(ids)}) and state = 'pending' and not ${any('pending')}`.execute(db)
}

export interface NewAttempt {
  readonly delivery: DeliveryRow
  readonly at: number
  readonly durationMs: number
  readonly status: number | null
  readonly answer: string | null
  readonly error: string | null
  readonly nextAt: number | null
}

export const insertAttempts = (db: Writer, attempts: readonly NewAttempt[]) =>
  db
    .insertInto('delivery_attempts')
    .values(
      attempts.map(({ delivery, at, durationMs, status, answer, error, nextAt }) => ({
        product_id: delivery.product_id,
        webhook_id: delivery.webhook_id,
        delivery_id: delivery.id,
        event_id: delivery.event_id,
        at,
        duration_ms: durationMs,
        status,
        answer,
        is_sealed: true,
        error,
        next_at: nextAt,
      })),
    )
    .execute()

export interface Health {
  readonly failures: number
  readonly failing_since: number | null
}

export const updateHealth = (db: Writer, { id }: WebhookRow, health: Health) =>
  unscoped(db, CLAIMED).updateTable('webhooks').set(health).where('id', '=', id).execute()

export const switchOff = (
  db: Writer,
  { id }: WebhookRow,
  { reason, time }: { readonly reason: 'gone' | 'failing'; readonly time: UtcTime },
) =>
  unscoped(db, CLAIMED)
    .updateTable('webhooks')
    .set({ is_active: false, off_reason: reason, updated: time })
    .where('id', '=', id)
    .execute()

/** The events of deliveries. */
export const findEventRows = (db: Reader, ids: readonly number[]) =>
  unscoped(db, CLAIMED).selectFrom('events').selectAll().where('id', 'in', ids).execute()

/** Who a product belongs to: what its mail needs, and the key it signs with. */
export const findSigner = (db: Reader, productId: number) =>
  unscoped(db, 'who a listener that the job has claimed belongs to')
    .selectFrom('products')
    .innerJoin('developers', 'developers.id', 'products.developer_id')
    .select([
      'products.secret_key',
      'products.title',
      'developers.email',
      'developers.first',
      'developers.language',
    ])
    .where('products.id', '=', productId)
    .executeTakeFirstOrThrow()
