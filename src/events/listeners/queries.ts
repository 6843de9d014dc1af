import { sql, type Insertable, type RawBuilder, type UpdateObject } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { Tables } from '../../db/tables/tables.ts'
import type { DeliveriesTable, WebhooksTable } from '../../db/tables/webhooks.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { AttemptFilter } from './schema.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

interface WebhookSearch extends Pick<Page, 'count'> {
  readonly made: TimeSpan | undefined
}

interface WebhookPage extends Page, WebhookSearch {
  readonly sort: ListSort
}

/** The listeners of a product, newest first unless it is sorted. */
export const listWebhooks = (db: Reader, owner: Owner, { sort, ...page }: WebhookPage) =>
  NEWEST.ids(someWebhooks(db, owner, page).selectAll(), { span: page.made, sort })
    .limit(page.count)
    .offset(page.offset)
    .execute()

/** How many there are, counted no further than `count`. */
export const countWebhooks = (db: Reader, owner: Owner, search: WebhookSearch) =>
  countRows(db, someWebhooks(db, owner, search).select('webhooks.id'), search.count)

const NEWEST = newestBy('webhooks.id', 'webhooks.created')

const someWebhooks = (db: Reader, owner: Owner, { made }: WebhookSearch) =>
  NEWEST.between(scoped(db, 'webhooks', owner).select().where('deleted_at', 'is', null), { span: made })

export const findWebhook = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'webhooks', owner)
    .select()
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const insertWebhook = (db: Writer, row: Insertable<WebhooksTable>) =>
  db.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

type WebhookUpdate = UpdateObject<Tables, 'webhooks'>

/** Undefined when the product has no such listener. */
export const updateWebhook = (db: Writer, owner: Owner, id: number, change: WebhookUpdate) =>
  scopedWrite(db, 'webhooks', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** What the listeners of a product are sent, newest first. */
export const listDeliveries = (db: Reader, owner: Owner, narrowed: NarrowedDeliveries) =>
  pageOfDeliveries(db, owner, narrowed).execute()

export interface NarrowedDeliveries extends Page {
  /** Absent: of all listeners that are not removed. */
  readonly webhook_id?: number
  /** Absent: of all events. */
  readonly eventIds?: readonly number[]
  readonly state?: DeliveriesTable['state']
  readonly type?: string
  readonly environment?: 0 | 1
  readonly from?: UtcTime
  readonly to?: UtcTime
  /** Between which ids those of that time are. */
  readonly above?: number
  readonly upTo?: number
  readonly sort?: ListSort
}

/** The query of `listDeliveries`. The rows before the page are skipped in an index of ids, or are the few of named events. */
export function pageOfDeliveries(db: Reader, owner: Owner, narrowed: NarrowedDeliveries) {
  const { eventIds, sort, count, offset } = narrowed
  const direction = sort === 'id' ? 'asc' : 'desc'
  // Sorted by a value, or all of a listener would be gone through in their order for those of some events.
  const newest = eventIds === undefined ? 'deliveries.id' : sql`deliveries.id + 0`
  const page = narrowedDeliveries(db, owner, narrowed)
  return scoped(db, 'deliveries', owner)
    .select()
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .selectAll('deliveries')
    .select('events.type')
    .where('deliveries.id', 'in', page.orderBy(newest, direction).limit(count).offset(offset))
    .orderBy('deliveries.id', direction)
}

/** How many there are, counted no further than `count`. */
export const countDeliveries = (db: Reader, owner: Owner, narrowed: NarrowedDeliveries) =>
  countRows(db, narrowedDeliveries(db, owner, narrowed), narrowed.count)

function narrowedDeliveries(db: Reader, owner: Owner, narrowed: NarrowedDeliveries) {
  const { state, type, environment, from, to, above, upTo } = narrowed
  let page = someDeliveries(db, owner, narrowed)
  if (state !== undefined) page = page.where('state', '=', state)
  if (type !== undefined) page = page.where(ofEvent(sql`events.type = ${type}`))
  if (environment !== undefined) page = page.where(ofEvent(sql`events.environment = ${environment}`))
  if (from !== undefined) page = page.where('created', '>=', from)
  if (to !== undefined) page = page.where('created', '<=', to)
  if (above !== undefined) page = page.where('deliveries.id', '>', above)
  if (upTo !== undefined) page = page.where('deliveries.id', '<=', upTo)
  return page
}

/** Ids of deliveries of the listeners and the events that are named. */
function someDeliveries(db: Reader, owner: Owner, { webhook_id: webhookId, eventIds }: NarrowedDeliveries) {
  if (webhookId === undefined && eventIds === undefined) {
    return scoped(db, 'deliveries', owner).select().select('deliveries.id').where(isOfListener)
  }
  const all = unscoped(
    db,
    'rows of the scope alone are taken of them; an index of its product would be chosen',
  )
    .selectFrom('deliveries')
    .select('deliveries.id')
  const of = webhookId === undefined ? all.where(isOfListener) : all.where('webhook_id', '=', webhookId)
  if (eventIds === undefined) return of
  const own = scoped(db, 'events', owner)
    .select()
    .select('events.id')
    .where('events.id', 'in', inList(eventIds))
  return of.where('event_id', 'in', own)
}

const isOfListener = sql<boolean>`exists (select 1 from webhooks
  where webhooks.id = deliveries.webhook_id and webhooks.deleted_at is null)`

const ofEvent = (condition: RawBuilder<unknown>, table: 'deliveries' | 'delivery_attempts' = 'deliveries') =>
  sql<boolean>`exists (select 1 from events where events.id = ${sql.ref(`${table}.event_id`)} and ${condition})`

/** The attempts to reach a listener, newest first. */
export const listAttempts = (db: Reader, owner: Owner, webhookId: number, page: AttemptFilter) =>
  pageOfAttempts(db, owner, webhookId, page).execute()

/** The query of `listAttempts`. Those of one event are found by its only delivery to the listener. */
export function pageOfAttempts(
  db: Reader,
  owner: Owner,
  webhookId: number,
  { event_id: eventId, environment, sort, count, offset }: AttemptFilter,
) {
  const whole = scoped(db, 'delivery_attempts', owner).select().selectAll()
  const isIn = sql`events.environment = ${environment}`
  const all = environment === undefined ? whole : whole.where(ofEvent(isIn, 'delivery_attempts'))
  const kept =
    eventId === undefined
      ? all.where('webhook_id', '=', webhookId)
      : all.where('delivery_id', '=', deliveryOf(db, owner, { webhookId, eventId }))
  return kept
    .orderBy('id', sort === 'id' ? 'asc' : 'desc')
    .limit(count)
    .offset(offset)
}

const deliveryOf = (
  db: Reader,
  owner: Owner,
  { webhookId, eventId }: { readonly webhookId: number; readonly eventId: number },
) =>
  scoped(db, 'deliveries', owner)
    .select()
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)

/** Whether the product has an event of this type. */
export const hasEventOf = async (db: Reader, owner: Owner, type: string): Promise<boolean> => {
  const found = scoped(db, 'events', owner).select().select('id').where('type', '=', type).limit(1)
  return (await found.executeTakeFirst()) !== undefined
}
