import type { TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { ApiError, notFound } from '../../lib/errors.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { fromUtcTime, MINUTE, toUtcTime } from '../../lib/time.ts'
import { recordFor } from '../log/record.ts'
import { updateWebhook } from './queries.ts'
import {
  deliverAgain,
  deliverOnly,
  findEvent,
  findMissed,
  idBefore,
  nthAfter,
  reopenEvents,
} from './resend-queries.ts'
import type { Resend, Resent } from './schema.ts'
import { typesOf, type WebhookRow } from './webhook.entity.ts'

/** So many events are sent again by one call, and so many looked at. */
const RESENT = 500
const LOOKED = 5_000

/** Times have a form. */
export async function checkRange(range: Pick<Resend, 'from' | 'to'>, problems: Problems): Promise<void> {
  for (const field of ['from', 'to'] as const) {
    const text = range[field]
    if (text !== undefined && !problems.has(field) && parseTimeText(text, 'first second') === null) {
      problems.malformed.push({ field, message: 'must be a time, YYYY-MM-DD HH:MM:SS' })
    }
  }
}

/**
 * Sends events to one listener again: one, or at most 500 of a range of time and of how they stand for it that are of
 * its types, the earliest first (`docs/decisions.md` 6.3, 6.5). 409 `webhook_inactive` while it is switched off; 404
 * when there is no such event.
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
  if (!row.is_active) {
    throw new ApiError(409, 'webhook_inactive', 'This listener is switched off; switch it on first.')
  }
  return row
}
