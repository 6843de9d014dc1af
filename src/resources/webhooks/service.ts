import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { notFound } from '../../lib/errors.ts'
import { beginsAsOurs, isEventType } from '../../lib/event-types.ts'
import { HOUR, toUtcTime } from '../../lib/time.ts'
import { newWebhookSecret } from '../../lib/webhook-signatures.ts'
import { recordEvent } from '../events/record.ts'
import {
  findWebhook,
  hasEventOf,
  insertWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  movedTo,
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
  type Webhook,
  type WebhookChange,
  type WebhookInput,
  type WebhookRow,
} from './schema.ts'

/** Where the sealed secrets of listeners are kept. */
export const SECRET_PLACE = 'webhooks.secret'
export const PREVIOUS_PLACE = 'webhooks.previous_secret'

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

/**
 * Changes a listener. Switched on, or at another address, it begins without failures; switched off, what waits is not
 * sent.
 */
export async function changeWebhook(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { url, types, is_active: isActive }: WebhookChange,
): Promise<Webhook> {
  const now = ctx.clock.real()
  const row = await updateWebhook(ctx.db, scope, id, {
    ...(url !== undefined && movedTo(url)),
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
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  id: number,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  await needWebhook(ctx, scope, id)
  return (await listDeliveries(pageReader(ctx, filter), scope, id, filter)).map(presentDelivery)
}

/** The attempts to reach a listener, newest first. */
export async function getAttempts(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  id: number,
  filter: AttemptFilter,
): Promise<Attempt[]> {
  await needWebhook(ctx, scope, id)
  return (await listAttempts(pageReader(ctx, filter), scope, id, filter)).map(presentAttempt)
}
