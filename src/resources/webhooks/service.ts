import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../http/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { ApiError, notFound } from '../../lib/errors.ts'
import { beginsAsOurs, isEventType } from '../../lib/event-types.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { newWebhookSecret } from '../../lib/webhook-signatures.ts'
import { recordEvent, recordFor } from '../events/record.ts'
import {
  deliverAgain,
  deliverOnly,
  findEvent,
  findMissed,
  findWebhook,
  hasEventOf,
  idBefore,
  insertWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  nthAfter,
  reopenEvents,
  updateWebhook,
} from './queries.ts'
import {
  parseTypes,
  presentAttempt,
  presentDelivery,
  presentWebhook,
  storedTypes,
  typesOf,
  type Attempt,
  type AttemptFilter,
  type Delivery,
  type DeliveryFilter,
  type NewWebhook,
  type Resend,
  type Resent,
  type Webhook,
  type WebhookChange,
  type WebhookInput,
  type WebhookRow,
} from './schema.ts'

/** Where the sealed secrets of listeners are kept. */
export const SECRET_PLACE = 'webhooks.secret'
export const PREVIOUS_PLACE = 'webhooks.previous_secret'

/** So many events are sent again by one call, and so many looked at. */
const RESENT = 500
const LOOKED = 5_000
/** So many names that are no types are told. */
const NAMED = 10

/** The listeners of the product, newest first. */
export async function getWebhooks(ctx: ReadContext, scope: Scope, page: Paged): Promise<Webhook[]> {
  const rows = await listWebhooks(ctx.db, scope, page)
  return rows.map((row) => presentWebhook(row, ctx.clock.real()))
}

/** 404 when the product has no such listener. */
export async function getWebhook(ctx: ReadContext, scope: Scope, id: number): Promise<Webhook> {
  return presentWebhook(await needWebhook(ctx, scope, id), ctx.clock.real())
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
  { url, types = '', is_active: isActive = true }: WebhookInput,
): Promise<NewWebhook> {
  const now = ctx.clock.real()
  const secret = newWebhookSecret()
  const row = await insertWebhook(ctx.db, {
    developer_id: scope.developerId,
    product_id: scope.productId,
    url,
    types: storedTypes(parseTypes(types)),
    is_active: isActive ? 1 : 0,
    secret: ctx.keys.seal(secret, SECRET_PLACE),
    lease_until: 0,
    fence: 0,
    created: toUtcTime(now),
    updated: null,
  })
  await told(ctx, scope, 'webhook.created', row.id)
  return { ...presentWebhook(row, now), secret }
}

const told = (
  ctx: TxContext,
  scope: Scope,
  type: 'webhook.created' | 'webhook.updated' | 'webhook.deleted',
  id: number,
) => recordEvent(ctx, scope, { type, data: { webhook_id: String(id) } })

/** Changes a listener. Switched on, it begins without failures; switched off, what waits is not sent. */
export async function changeWebhook(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { url, types, is_active: isActive }: WebhookChange,
): Promise<Webhook> {
  const now = ctx.clock.real()
  const row = await updateWebhook(ctx.db, scope, id, {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: storedTypes(parseTypes(types)) }),
    ...(isActive === true && { is_active: 1, off_reason: null, failures: 0, failing_since: null }),
    ...(isActive === false && { is_active: 0, off_reason: null, due_at: now }),
    updated: toUtcTime(now),
  })
  if (!row) throw notFound('webhook')
  await told(ctx, scope, 'webhook.updated', id)
  return presentWebhook(row, now)
}

/** Removes a listener; what waits is not sent. */
export async function removeWebhook(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const now = ctx.clock.real()
  const removed = await updateWebhook(ctx.db, scope, id, {
    is_active: 0,
    deleted_at: toUtcTime(now),
    due_at: now,
  })
  if (!removed) throw notFound('webhook')
  await told(ctx, scope, 'webhook.deleted', id)
}

/** Gives a listener another secret; the one so far signs too for some hours. */
export async function rotateSecret(
  ctx: TxContext,
  scope: Scope,
  id: number,
  overlapHours: number,
): Promise<NewWebhook> {
  const now = ctx.clock.real()
  const { secret: sealed } = await needWebhook(ctx, scope, id)
  const secret = newWebhookSecret()
  const row = await updateWebhook(ctx.db, scope, id, {
    secret: ctx.keys.seal(secret, SECRET_PLACE),
    previous_secret: ctx.keys.seal(ctx.keys.open(sealed, SECRET_PLACE), PREVIOUS_PLACE),
    previous_until: now + overlapHours * HOUR,
    updated: toUtcTime(now),
  })
  if (!row) throw notFound('webhook')
  await told(ctx, scope, 'webhook.updated', id)
  return { ...presentWebhook(row, now), secret }
}

/** What a listener is sent, newest first. */
export async function getDeliveries(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  await needWebhook(ctx, scope, id)
  return (await listDeliveries(ctx.db, scope, id, filter)).map(presentDelivery)
}

/** The attempts to reach a listener, newest first. */
export async function getAttempts(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  filter: AttemptFilter,
): Promise<Attempt[]> {
  await needWebhook(ctx, scope, id)
  return (await listAttempts(ctx.db, scope, id, filter)).map(presentAttempt)
}

/** Times have a form. */
export async function checkRange(range: Resend, problems: Problems): Promise<void> {
  for (const field of ['from', 'to'] as const) {
    const text = range[field]
    if (text !== undefined && !problems.has(field) && parseTimeText(text, 'first second') === null) {
      problems.malformed.push({ field, message: 'must be a time, YYYY-MM-DD HH:MM:SS' })
    }
  }
}

/**
 * Sends events to one listener again: one, or at most 500 of a range of time and of how they stand for it that are of
 * its types, the earliest first (DECISIONS 6.3, 6.5). 409 `webhook_inactive` while it is switched off; 404 when there
 * is no such event.
 */
export async function resend(ctx: TxContext, scope: Scope, id: number, range: Resend): Promise<Resent> {
  const now = ctx.clock.real()
  const webhook = await wake(ctx, scope, id)
  const { eventIds, lastId, more } =
    range.event_id === undefined
      ? await missedIn(ctx, scope, webhook, range)
      : await theEvent(ctx, scope, { id: range.event_id, afterId: range.after_id ?? 0 })
  if (eventIds.length === 0) return { count: 0, last_id: lastId, more }
  await reopenEvents(ctx.db, scope, eventIds)
  const resent = await deliverAgain(ctx.db, { webhookId: id, eventIds, now, time: toUtcTime(now) })
  return { count: resent.length, last_id: lastId, more }
}

interface Found {
  readonly eventIds: readonly number[]
  readonly lastId: string | null
  readonly more: boolean
}

async function theEvent(
  { db }: TxContext,
  scope: Scope,
  { id, afterId }: { readonly id: number; readonly afterId: number },
): Promise<Found> {
  if (id <= afterId || !(await findEvent(db, scope, id))) throw notFound('event')
  return { eventIds: [id], lastId: String(id), more: false }
}

/** Looks at so many events only, as the transaction holds up others. */
async function missedIn({ db }: TxContext, scope: Scope, webhook: WebhookRow, range: Resend): Promise<Found> {
  const timeOf = (text: string | undefined, missing: 'first second' | 'last second') =>
    text === undefined ? null : parseTimeText(text, missing)
  const from = timeOf(range.from, 'first second')
  const begin = from === null ? 0 : await idBefore(db, scope, toUtcTime(fromUtcTime(from) - MINUTE))
  const afterId = Math.max(begin, range.after_id ?? 0)
  const looked = await nthAfter(db, scope, { id: afterId, n: LOOKED })
  const eventIds = await findMissed(db, scope, {
    webhook,
    from,
    to: timeOf(range.to, 'last second'),
    states: range.state === undefined ? ['canceled', 'error'] : [range.state],
    types: typesOf(webhook),
    afterId,
    lastId: looked?.id ?? Number.MAX_SAFE_INTEGER,
    limit: RESENT,
  })
  const isFull = eventIds.length === RESENT
  const last = isFull ? eventIds.at(-1) : (looked?.id ?? eventIds.at(-1))
  return { eventIds, lastId: last === undefined ? null : String(last), more: isFull || looked !== undefined }
}

/** Records an event that only this listener is sent. 409 `webhook_inactive` while it is switched off. */
export async function sendTest(ctx: TxContext, scope: Scope, id: number): Promise<{ event_id: string }> {
  await wake(ctx, scope, id)
  const now = ctx.clock.real()
  const eventId = await recordFor(ctx, scope, {
    type: 'webhook.updated',
    data: { webhook_id: String(id), is_test: true },
  })
  const to = { webhookId: id, now, time: toUtcTime(now) }
  await deliverOnly(ctx.db, { ...to, productId: scope.productId, eventId })
  return { event_id: String(eventId) }
}

/** Lets the worker look at a listener now; first of all, so that it and the worker lock rows in one order. */
async function wake(ctx: TxContext, scope: Scope, id: number): Promise<WebhookRow> {
  const row = await updateWebhook(ctx.db, scope, id, { due_at: ctx.clock.real() })
  if (!row) throw notFound('webhook')
  if (row.is_active === 0) {
    throw new ApiError(409, 'webhook_inactive', 'This listener is switched off; switch it on first.')
  }
  return row
}
