import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../http/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { ApiError, notFound } from '../../lib/errors.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { HOUR, toUtcTime } from '../../lib/time.ts'
import { newWebhookSecret } from '../../lib/webhook-signatures.ts'
import { recordEvent, recordFor } from '../events/record.ts'
import {
  deliverAgain,
  deliverOnly,
  findEnded,
  findWebhook,
  insertWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  reopenEvents,
  updateWebhook,
} from './queries.ts'
import {
  parseTypes,
  presentAttempt,
  presentDelivery,
  presentWebhook,
  storedTypes,
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

/** So many events are sent again by one call. */
const RESENT = 500

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
 * Sends events to one listener again: one, or at most 500 of a range of time and of a state that are of its types,
 * the earliest first (DECISIONS 6.3, 6.5). 409 `webhook_inactive` while it is switched off; 404 when there is no such event.
 */
export async function resend(ctx: TxContext, scope: Scope, id: number, range: Resend): Promise<Resent> {
  const { db, clock } = ctx
  const now = clock.real()
  const time = toUtcTime(now)
  const { types } = presentWebhook(await wake(ctx, scope, id), now)
  const eventIds = await findEnded(db, scope, {
    eventId: range.event_id ?? null,
    from: range.from === undefined ? null : parseTimeText(range.from, 'first second'),
    to: range.to === undefined ? null : parseTimeText(range.to, 'last second'),
    states: range.state === undefined ? ['canceled', 'error'] : [range.state],
    types,
    afterId: range.after_id ?? 0,
    limit: RESENT,
  })
  const last = eventIds.at(-1)
  if (last === undefined && range.event_id !== undefined) throw notFound('event')
  if (last === undefined) return { count: 0, last_id: null, more: false }
  await reopenEvents(db, scope, eventIds)
  const resent = await deliverAgain(db, { webhookId: id, eventIds, now, time })
  return { count: resent.length, last_id: String(last), more: eventIds.length === RESENT }
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
