import type { ReadContext, TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { requireAccess } from '../../http/roles.ts'
import { notFound } from '../../lib/errors.ts'
import { queueMail } from '../../mail/outbox.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { subscriptionsOfLicenses } from './queries.ts'
import { activeOfLicense } from './subscription-rows.ts'
import type { SubscriptionRow } from './schema.ts'
import { getSubscription } from './service.ts'
import { endLicenseWithTrial } from './convert-trial.ts'
import { isFirstPayment } from '../renewals/quote.ts'
import { addressed } from '../../people/users/recipient.ts'
import { findTrialOfSubscription } from '../../licensing/trials/buyer-trial-rows.ts'
import type { EndReason } from '../../licensing/hooks.ts'
import { endSubscription } from './start-subscription.ts'
import { currentOf } from './subscriptions.ts'
import { cancelTrial } from '../../licensing/trials/trials.ts'

/**
 * Cancels a subscription, and ends a trial of it that runs; the license keeps its end, which before the first payment is
 * that of the trial, and until then it can be resumed (`resumeSubscription`). Cancelled already, it stays as it is (`docs/interface.md` 7.1). 404 when the owner has
 * no such one.
 */
export async function cancelSubscription(
  ctx: TxContext,
  scope: Scope,
  id: number,
  reason: EndReason,
): Promise<SubscriptionRow> {
  const before = await getSubscription(ctx, scope, id)
  const ended = await endSubscription(ctx, scope, before, { ...reason, isAsked: true })
  if (ended) {
    await endTrial(ctx, scope, ended, reason)
    await mailEnded(ctx, scope, ended)
  }
  if (ended && isFirstPayment(before)) await endLicenseWithTrial(ctx, scope, before)
  return ended ?? getSubscription(ctx, scope, id)
}

/**
 * Cancels the subscription that renews a license, as who asks for it by name; one that nothing renews stays as it is. 401
 * `role_not_allowed` for a role that may not write sales.
 */
export async function cancelRenewals(
  ctx: TxContext,
  scope: Scope,
  licenseId: number,
  reason: EndReason,
): Promise<void> {
  const active = await activeOfLicense(ctx.db, licenseId)
  if (!active) return
  requireAccess(scope, 'sales.write')
  const product = wholeProduct(scope, active.product_id)
  await cancelSubscription(ctx, product, active.id, reason)
}

/** Tells the buyer, with what is left of what was paid. */
async function mailEnded(ctx: TxContext, scope: Scope, row: SubscriptionRow): Promise<void> {
  if (scope.isSilent) return
  const { product_id: productId, plan_id: planId, license_id: licenseId, user_id: userId, environment } = row
  const product = wholeProduct(scope, productId)
  const license = licenseId === null ? null : await getLicense(ctx, product, licenseId)
  const { title: plan } = await getPlan(ctx, product, planId)
  const time = license?.is_cancelled === false ? license.expiration : null
  const until = time === null ? '' : { time }
  const to = await addressed(ctx, product, userId)
  const place = { licenseId, environment }
  await queueMail(ctx, { ...to, ...place, template: 'subscription_cancelled', values: { plan, until } })
}

async function endTrial(
  ctx: TxContext,
  scope: Scope,
  { id, product_id: productId }: SubscriptionRow,
  { ids, text }: EndReason,
): Promise<void> {
  const trial = await findTrialOfSubscription(ctx.db, id)
  if (!trial || trial.install_id === null) return
  const product = wholeProduct(scope, productId)
  await cancelTrial(ctx, product, trial.install_id, { ids, text: text ?? undefined })
}

/** The subscription that renews a license, or else its latest one; 404 when it has none, or there is no license. */
export async function subscriptionOfLicense(
  ctx: ReadContext,
  scope: Scope,
  licenseId: number,
): Promise<SubscriptionRow> {
  await getLicense(ctx, scope, licenseId)
  let current: SubscriptionRow | undefined
  for (const row of await subscriptionsOfLicenses(ctx.db, [licenseId])) current = currentOf(current, row)
  if (!current || (scope.userId !== null && current.user_id !== scope.userId)) throw notFound('subscription')
  return current
}
