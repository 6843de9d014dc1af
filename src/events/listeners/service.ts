import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { classesIn, hiddenFrom, seesLess, storedClasses } from '../../access/data-classes.ts'
import type { Reader } from '../../db/database.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { beginsAsOurs, isEventType } from '../../db/tables/event-types.ts'
import { parseTimeText, spanOf } from '../../lib/time-text.ts'
import type { Problems } from '../../http/decode.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { holds, notAllowed } from '../../access/rights.ts'
import { newWebhookSecret } from '../delivery/webhook-signatures.ts'
import { recordEvent } from '../log/record.ts'
import { ADDRESS_PLACE, addressOf, answerOf } from './address.ts'
import {
  countDeliveries,
  countWebhooks,
  findWebhook,
  hasEventOf,
  insertWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  updateWebhook,
  type NarrowedDeliveries,
} from './queries.ts'
import { checkRange } from './resend.ts'
import { idBefore } from './resend-queries.ts'
import { MOST_EVENTS } from './schema.ts'
import type {
  Attempt,
  AttemptFilter,
  DeliveriesFilter,
  Delivery,
  DeliveryFilter,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookInput,
  WebhookPage,
} from './schema.ts'
import { ATTEMPT, DELIVERY, type AttemptRow } from './delivery.entity.ts'
import { parseTypes, WEBHOOK, type WebhookRow } from './webhook.entity.ts'

/** Where the sealed secrets of listeners are kept. */
export const SECRET_PLACE = 'webhooks.secret'
export const PREVIOUS_PLACE = 'webhooks.previous_secret'

/** So many names that are no types are told. */
const NAMED = 10

/** The listeners of the product, newest first unless it is sorted. */
export async function getWebhooks(ctx: ReadContext, scope: Scope, query: WebhookPage): Promise<Webhook[]> {
  const rows = await listWebhooks(ctx.db, scope, { ...query, made: spanOf(query) })
  return rows.map((row) => presented(ctx, scope, row))
}

/** How many listeners a list of a product has, counted no further than its `count`. */
export const totalOfWebhooks = (
  { database }: Pick<Context, 'database'>,
  scope: Scope,
  query: WebhookPage,
): Promise<number> => countWebhooks(database.background, scope, { count: query.count, made: spanOf(query) })

/** 404 when the product has no such listener. */
export async function getWebhook(ctx: ReadContext, scope: Scope, id: number): Promise<Webhook> {
  return presented(ctx, scope, await needWebhook(ctx, scope, id))
}

/** An address may hold a secret in its path or query: a role that sets none sees where it leads alone. */
function presented(ctx: ReadContext, { actor }: Scope, row: WebhookRow): Webhook {
  const url = addressOf(ctx, row)
  const isShown = holds(actor, 'events.write')
  const known = { url: isShown ? url : `${new URL(url).origin}/…` }
  return WEBHOOK.present({ ...row, now: ctx.clock.real() }, ctx.keys, known)
}

async function needWebhook(ctx: ReadContext, scope: Scope, id: number): Promise<WebhookRow> {
  const row = await findWebhook(ctx.db, scope, id)
  if (!row) throw notFound('webhook')
  return row
}

/**
 * What is wrong with the types that a text names; null: nothing. Each stands in the table, or is what a client of the
 * product has called an event.
 */
export async function wrongTypes(ctx: ReadContext, scope: Scope, text: string): Promise<string | null> {
  const others = (parseTypes(text) ?? []).filter((name) => !isEventType(name))
  const unknown: string[] = []
  for (const name of others) {
    if (beginsAsOurs(name) || !(await hasEventOf(ctx.db, scope, name))) unknown.push(name)
  }
  if (unknown.length === 0) return null
  const more = unknown.length > NAMED ? `, and ${unknown.length - NAMED} more` : ''
  return `must name types of events; unknown: ${unknown.slice(0, NAMED).join(', ')}${more}`
}

/** A new listener, with its secret. */
export async function createWebhook(
  ctx: TxContext,
  scope: Scope,
  { url, ...input }: WebhookInput,
): Promise<NewWebhook> {
  const now = ctx.clock.real()
  const secret = newWebhookSecret()
  const row = await insertWebhook(ctx.db, {
    developer_id: scope.developerId,
    product_id: scope.productId,
    ...WEBHOOK.initial,
    ...WEBHOOK.columns(WEBHOOK.read('create', input)),
    url: ctx.keys.seal(url, ADDRESS_PLACE),
    secret: ctx.keys.seal(secret, SECRET_PLACE),
    ...limitsOf(scope, now),
    lease_until: 0,
    fence: 0,
    created: toUtcTime(now),
    updated: null,
  })
  await told(ctx, scope, 'webhook.created', row.id)
  return { ...presented(ctx, scope, row), secret }
}

const told = (
  ctx: TxContext,
  scope: Scope,
  type: 'webhook.created' | 'webhook.updated' | 'webhook.deleted',
  id: number,
) => recordEvent(ctx, scope, { type, data: { webhook_id: String(id) } })

/** What a listener is not sent whose address this caller has set. */
const limitsOf = (scope: Scope, now: number) => ({
  hides: storedClasses(hiddenFrom(scope)),
  hides_since: now,
})

/**
 * Changes a listener. Switched on, or at another address, it begins without failures; switched off, what waits is not
 * sent. 401 `role_not_allowed` for another address by a role that may not see what the listener is sent: it would be
 * given the secret with it, and know it when the listener is moved back.
 */
export async function changeWebhook(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { url, ...input }: WebhookChange,
): Promise<Webhook> {
  const now = ctx.clock.real()
  const before = await needWebhook(ctx, scope, id)
  const isMoved = url !== undefined && url !== addressOf(ctx, before)
  if (isMoved) requireSight(scope, before)
  const sealed = isMoved ? ctx.keys.seal(url, ADDRESS_PLACE) : null
  const row = await updateWebhook(ctx.db, scope, id, {
    ...(sealed !== null && { url: sealed, failures: 0, failing_since: null, ...limitsOf(scope, now) }),
    ...WEBHOOK.columns(WEBHOOK.read('update', input)),
    ...(input.is_active === true && { off_reason: null, failures: 0, failing_since: null }),
    ...(input.is_active === false && { off_reason: null, due_at: now }),
    updated: toUtcTime(now),
  })
  if (!row) throw notFound('webhook')
  await told(ctx, scope, 'webhook.updated', id)
  return presented(ctx, scope, row)
}

/** Removes a listener; what waits is not sent. */
export async function removeWebhook(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const now = ctx.clock.real()
  const removed = await updateWebhook(ctx.db, scope, id, {
    is_active: false,
    deleted_at: toUtcTime(now),
    due_at: now,
  })
  if (!removed) throw notFound('webhook')
  await told(ctx, scope, 'webhook.deleted', id)
}

/**
 * Gives a listener another secret; the one so far signs too for some hours. 401 `role_not_allowed` for a role that may
 * not see what the listener is sent, as who has its secret can speak to it in our name.
 */
export async function rotateSecret(
  ctx: TxContext,
  scope: Scope,
  id: number,
  overlapHours: number,
): Promise<NewWebhook> {
  const now = ctx.clock.real()
  const { secret: sealed, hides } = await needWebhook(ctx, scope, id)
  requireSight(scope, { hides })
  const secret = newWebhookSecret()
  const row = await updateWebhook(ctx.db, scope, id, {
    secret: ctx.keys.seal(secret, SECRET_PLACE),
    previous_secret: ctx.keys.seal(ctx.keys.open(sealed, SECRET_PLACE), PREVIOUS_PLACE),
    previous_until: now + overlapHours * HOUR,
    updated: toUtcTime(now),
  })
  if (!row) throw notFound('webhook')
  await told(ctx, scope, 'webhook.updated', id)
  return { ...presented(ctx, scope, row), secret }
}

function requireSight(scope: Scope, { hides }: Pick<WebhookRow, 'hides'>): void {
  if (!seesLess(scope, classesIn(hides))) return
  throw notAllowed(scope.actor, 'This listener is sent what you may not see.')
}

/** What a listener is sent, newest first. */
export async function getDeliveries(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  id: number,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  await needWebhook(ctx, scope, id)
  return (await listDeliveries(pageReader(ctx, filter), scope, { ...filter, webhook_id: id })).map(
    DELIVERY.present,
  )
}

/** Deliveries that are written side by side are no further apart. */
const APART = HOUR

/** Times have a form, and so many events are named at most. */
export async function checkDeliveries(filter: DeliveriesFilter, problems: Problems): Promise<void> {
  if (eventsIn(filter.event_id).length > MOST_EVENTS) {
    problems.malformed.push({ field: 'event_id', message: `must be at most ${MOST_EVENTS} ids` })
  }
  await checkRange(filter, problems)
}

const eventsIn = (named = ''): readonly number[] => parseIdList(named) ?? []

/**
 * What the listeners of a product are sent, newest first; what is narrowed by a type, an environment or its time is looked
 * for beside the requests, but for that of events which are named.
 */
export async function getAllDeliveries(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: DeliveriesFilter,
): Promise<Delivery[]> {
  const { event_id: named, type, environment, from, to } = query
  const isLong = named === undefined && [type, environment, from, to].some((value) => value !== undefined)
  const db = isLong ? ctx.database.background : pageReader(ctx, query)
  const rows = await listDeliveries(db, scope, await narrowedBy(db, scope, query))
  return rows.map(DELIVERY.present)
}

/** How many deliveries a list of a product has, counted no further than its `count`. */
export async function totalOfDeliveries(
  { database }: Pick<Context, 'database'>,
  scope: Scope,
  query: DeliveriesFilter,
): Promise<number> {
  const db = database.background
  return countDeliveries(db, scope, await narrowedBy(db, scope, query))
}

/** What a list is narrowed to; those of a time by their ids too. */
async function narrowedBy(
  db: Reader,
  scope: Scope,
  { event_id: named, from: since, to: until, ...filter }: DeliveriesFilter,
): Promise<NarrowedDeliveries> {
  const from = since === undefined ? null : parseTimeText(since, 'first second')
  const to = until === undefined ? null : parseTimeText(until, 'last second')
  const place = (time: UtcTime, ms: number) =>
    idBefore(db, scope, toUtcTime(fromUtcTime(time) + ms), 'deliveries')
  return {
    ...filter,
    ...(named !== undefined && { eventIds: eventsIn(named) }),
    ...(from !== null && { from, above: await place(from, -APART) }),
    ...(to !== null && { to, upTo: await place(to, APART) }),
  }
}

/**
 * The attempts to reach a listener, newest first. An answer may repeat what was sent: a role that may not see that is
 * not shown it.
 */
export async function getAttempts(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  id: number,
  filter: AttemptFilter,
): Promise<Attempt[]> {
  const { hides, hides_since: since } = await needWebhook(ctx, scope, id)
  const from = seesLess(scope, classesIn(hides)) ? Infinity : since
  const mayRead = ({ at }: AttemptRow) => hiddenFrom(scope).length === 0 || at >= from
  const rows = await listAttempts(pageReader(ctx, filter), scope, id, filter)
  return rows.map((row) =>
    ATTEMPT.present({ ...row, answer: mayRead(row) ? answerOf(ctx, row.answer) : null }),
  )
}
