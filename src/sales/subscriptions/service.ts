import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { isReason, OTHER } from '../../lib/reasons.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { findSubscription } from './subscription-rows.ts'
import type { CancelReasons, MigratedPayment, SubscriptionRow } from './schema.ts'

/** The subscription's row; 404 when the owner has no such one. */
export async function getSubscription(ctx: ReadContext, scope: Scope, id: number): Promise<SubscriptionRow> {
  const [subscription] = await findSubscription(ctx.db, scope, { id })
  if (!subscription) throw notFound('subscription')
  return subscription
}

/** Reasons are those of an uninstall (`docs/interface.md` 12.6). */
export async function checkReasons({ reason_ids: ids }: CancelReasons, problems: Problems): Promise<void> {
  if (ids === undefined || (parseIdList(ids) ?? []).every(isReason)) return
  problems.malformed.push({ field: 'reason_ids', message: 'must be ids of reasons, 1 to 15' })
}

/** What was said of why; words count only where the reason is "other", or none is given. */
export function reasonOf({ reason_ids: text, reason }: CancelReasons) {
  const ids = parseIdList(text ?? '') ?? []
  const isTold = ids.length === 0 || ids.includes(OTHER)
  return { ids, text: isTold ? (reason ?? null) : null }
}

/** Its times must be times. */
export async function checkMigratedPayment(body: MigratedPayment, problems: Problems): Promise<void> {
  const { processed_at, next_payment } = body
  for (const [field, text] of Object.entries({ processed_at, next_payment })) {
    if (text === undefined || text === null || parseTimeText(text, 'first second') !== null) continue
    problems.malformed.push({ field, message: 'must be YYYY-MM-DD HH:MM:SS in UTC' })
  }
}
