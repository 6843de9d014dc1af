import { sql, type Insertable, type SqlBool, type UpdateObject } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { Tables } from '../../db/tables/tables.ts'
import type { WebhooksTable } from '../../db/tables/webhooks.ts'
import type { AttemptFilter, DeliveryFilter } from './schema.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

/** The listeners of a product, newest first. */
export const listWebhooks = (db: Reader, owner: Owner, { count, offset }: Page) =>
  scoped(db, 'webhooks', owner)
    .select()
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

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

/** What a listener is sent, newest first. */
export const listDeliveries = (db: Reader, owner: Owner, webhookId: number, page: DeliveryFilter) =>
  pageOfDeliveries(db, owner, webhookId, page).execute()

/** The query of `listDeliveries`. */
export function pageOfDeliveries(
  db: Reader,
  owner: Owner,
  webhookId: number,
  { state, environment, count, offset }: DeliveryFilter,
) {
  const all = scoped(db, 'deliveries', owner)
    .select()
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(isOf('deliveries', environment))
  const kept = state === undefined ? all : all.where('state', '=', state)
  return kept.orderBy('id', 'desc').limit(count).offset(offset)
}

/** Whether its event is of an environment; a listener is told of both. */
const isOf = (table: 'deliveries' | 'delivery_attempts', environment: Environment | undefined) =>
  environment === undefined
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`(select environment from events where events.id = ${sql.ref(`${table}.event_id`)}) = ${environment}`

/** The attempts to reach a listener, newest first. */
export const listAttempts = (db: Reader, owner: Owner, webhookId: number, page: AttemptFilter) =>
  pageOfAttempts(db, owner, webhookId, page).execute()

/** The query of `listAttempts`. Those of one event are found by its only delivery to the listener. */
export function pageOfAttempts(
  db: Reader,
  owner: Owner,
  webhookId: number,
  { event_id: eventId, environment, count, offset }: AttemptFilter,
) {
  const all = scoped(db, 'delivery_attempts', owner)
    .select()
    .selectAll()
    .where(isOf('delivery_attempts', environment))
  const kept =
    eventId === undefined
      ? all.where('webhook_id', '=', webhookId)
      : all.where('delivery_id', '=', deliveryOf(db, owner, { webhookId, eventId }))
  return kept.orderBy('id', 'desc').limit(count).offset(offset)
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
