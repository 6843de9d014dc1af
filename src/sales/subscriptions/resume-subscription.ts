import type { ReadContext, TxContext } from '../../context.ts'
import { requireWhole, wholeProduct, type Scope } from '../../access/scope.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { hold } from '../../db/hold.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { idText } from '../../lib/id-text.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { setSubscriptionOn } from '../../licensing/installs/sale-on-install-rows.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { queueMail } from '../../mail/outbox.ts'
import { addressed } from '../../people/users/recipient.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { markPaying, resumeSubscriptionRow } from './queries.ts'
import type { SubscriptionRow } from './schema.ts'
import { hasLaterSubscription, lastPaymentOf } from './subscription-rows.ts'

/**
 * Lets a subscription that its buyer or seller cancelled go on as it was, before the paid period is over: it is renewed
 * when it would have been. Records `subscription.resumed` once, however many ask at once, and mails the buyer; one that
 * is not cancelled stays as it is. 404 when the owner has no such one; 400 `subscription_not_resumable` when its time is
 * over, something is owed, it has no method of payment, another one came after it, what was paid last was given back, or
 * its license is cancelled, over or has no end.
 */
export async function resumeSubscription(ctx: TxContext, scope: Scope, id: number): Promise<SubscriptionRow> {
  const held = await hold(ctx.db, 'subscriptions', scope, id)
  if (!held) throw notFound('subscription')
  requireWhole(scope, 'Resuming a subscription')
  if (held.canceled_at === null) return held
  const product = wholeProduct(scope, held.product_id)
  if (held.license_id !== null) await hold(ctx.db, 'licenses', product, held.license_id)
  if (!(await isResumable(ctx, scope, held))) throw notResumable()
  const row = await resumed(ctx, product, held)
  if (!isSandbox(row.environment)) await markPaying(ctx.db, product, row.user_id)
  if (row.license_id !== null) await setSubscriptionOn(ctx.db, row.license_id, id)
  await recordEvent(ctx, product, {
    type: 'subscription.resumed',
    environment: row.environment,
    userId: row.user_id,
    ...(row.install_id !== null && { installId: row.install_id }),
    data: {
      subscription_id: String(id),
      license_id: idText(row.license_id),
      next_payment: row.next_payment,
    },
  })
  await mailResumed(ctx, product, row)
  return row
}

/** Whether a subscription that is cancelled can go on as it was. */
export async function isResumable(ctx: ReadContext, scope: Scope, row: SubscriptionRow): Promise<boolean> {
  const { canceled_at: ended, resumes_at: until, license_id: licenseId, payment_method_id: method } = row
  if (ended === null || until === null || licenseId === null || method === null) return false
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const [license] = await findLicense(ctx.db, wholeProduct(scope, row.product_id), { id: licenseId })
  if (until <= now || !license || !isAlive(license, now)) return false
  if (await hasLaterSubscription(ctx.db, { id: row.id, licenseId })) return false
  const last = await lastPaymentOf(ctx.db, row.id)
  return last === undefined || last.gross === 0 || last.refunded_gross < last.gross
}

const isAlive = ({ is_cancelled: isCancelled, expiration }: LicenseRow, now: string): boolean =>
  !isCancelled && expiration !== null && expiration > now

const notResumable = () =>
  invalid('subscription_not_resumable', 'This subscription cannot go on; buy the license again.')

/** One statement, and the index of what renews a license, so that of any number of calls one does it. */
async function resumed(ctx: TxContext, scope: Scope, { id }: SubscriptionRow): Promise<SubscriptionRow> {
  try {
    const row = await resumeSubscriptionRow(ctx.db, scope, id, ctx.clock.now())
    if (row) return row
  } catch (error) {
    if (!isDuplicate(error)) throw error
  }
  throw notResumable()
}

/** Tells the buyer what was done in their name, and when they pay. */
async function mailResumed(ctx: TxContext, scope: Scope, row: SubscriptionRow): Promise<void> {
  if (scope.isSilent || row.next_payment === null) return
  const { title: plan } = await getPlan(ctx, scope, row.plan_id)
  const to = await addressed(ctx, scope, row.user_id)
  await queueMail(ctx, {
    ...to,
    licenseId: row.license_id,
    environment: row.environment,
    template: 'subscription_resumed',
    values: { plan, on: { time: row.next_payment } },
  })
}
