import { sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import { orderKey } from '../db/event-listeners.ts'
import { unscoped } from '../db/scoped.ts'
import type { EventType } from '../db/tables/event-types.ts'
import { nextAttemptAt } from '../events/delivery/delivery-times.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../lib/time.ts'

const DEMO = 'of a listener of the demo'

/** When what is refused each time is tried, milliseconds after the event. */
const TRIED = timesOf()

function timesOf(): number[] {
  const times = [0]
  for (let at: number | null = 0; at !== null;) {
    at = nextAttemptAt({ attempts: times.length, now: at, retryAfterMs: null, random: 0 })
    if (at !== null) times.push(at)
  }
  return times
}

/** Attempts are kept so long. */
const KEPT_MS = 30 * DAY

interface Heard {
  /** Of the listener. */
  readonly id: number
  readonly types: readonly EventType[]
  readonly now: number
  /** Sealed: what it says to what it takes, and to what it refuses. */
  readonly answers: Readonly<Record<'taken' | 'refused', string>>
}

/**
 * Says of the events that a listener asks for, and that are later than its last delivery, that some were refused, some
 * came too late, and the rest was delivered, with the attempts that are still kept.
 */
export async function insertDemoDeliveries(db: Writer, heard: Heard): Promise<void> {
  const { id: webhookId, types, now } = heard
  const { last } = await unscoped(db, DEMO)
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow()
  await settleDemoEvents(db, { webhookId, types })
  await sql`
    insert into deliveries (product_id, webhook_id, event_id, order_key, state, attempts, due_at, created)
    select webhooks.product_id, webhooks.id, events.id, ${orderKey}, events.state,
      case events.state when 'error' then ${sql.lit(TRIED.length)} when 'canceled' then 0 else 1 end, null, events.created
    from webhooks join events on events.product_id = webhooks.product_id and events.type in (${sql.join(types)})
    where webhooks.id = ${webhookId} and events.id > ${lastHeard(webhookId)} order by events.id`.execute(db)
  const recent = await unscoped(db, DEMO)
    .selectFrom('deliveries')
    .select(['id', 'product_id', 'event_id', 'state', 'created'])
    .where('webhook_id', '=', webhookId)
    .where('id', '>', last ?? 0)
    .where('created', '>', toUtcTime(now - KEPT_MS))
    .execute()
  const attempts = recent.flatMap((one) => attemptsOf(heard, one))
  if (attempts.length > 0) await db.insertInto('delivery_attempts').values(attempts).execute()
}

const lastHeard = (webhookId: number) =>
  sql<number>`(select coalesce(max(event_id), 0) from deliveries where webhook_id = ${webhookId})`

const settleDemoEvents = (
  db: Writer,
  { webhookId, types }: { webhookId: number; types: readonly EventType[] },
) =>
  unscoped(db, DEMO)
    .updateTable('events')
    .set({
      state: sql<'processed'>`case id % 30 when 0 then 'error' when 15 then 'canceled' else 'processed' end`,
      process_time: sql<UtcTime>`created`,
    })
    .where('product_id', '=', ({ selectFrom }) =>
      selectFrom('webhooks').select('product_id').where('id', '=', webhookId),
    )
    .where('type', 'in', types as EventType[])
    .where('state', '=', 'canceled')
    .where('id', '>', lastHeard(webhookId))
    .execute()

interface Delivered {
  readonly id: number
  readonly product_id: number
  readonly event_id: number
  readonly state: string
  readonly created: UtcTime
}

function attemptsOf(
  { id: webhook_id, answers }: Heard,
  { id, product_id, event_id, state, created }: Delivered,
) {
  const isRefused = state === 'error'
  const times = TRIED.slice(0, isRefused ? TRIED.length : state === 'canceled' ? 0 : 1).map(
    (after) => fromUtcTime(created) + after,
  )
  return times.map((at, n) => ({
    product_id,
    webhook_id,
    delivery_id: id,
    event_id,
    at,
    duration_ms: 40 + (id % 160),
    status: isRefused ? 503 : 200,
    answer: isRefused ? answers.refused : answers.taken,
    is_sealed: true,
    error: null,
    next_at: times[n + 1] ?? null,
  }))
}
