import type { TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { invalid } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { EndReason } from '../../licensing/hooks.ts'
import { endSubscriptionRow, insertSubscription, markPaying } from './queries.ts'
import type { SubscriptionRow } from './schema.ts'
import { SUBSCRIPTION } from './subscription.entity.ts'
import { installOfLicense, setSubscriptionOn } from '../../licensing/installs/sale-on-install-rows.ts'
import { cancelTrialOf } from '../../licensing/trials/buyer-trial-rows.ts'

/** What a subscription begins with; the product is the scope's. Minor units, times on its own clock. */
export type NewSubscription = Omit<
  SubscriptionRow,
  | keyof typeof SUBSCRIPTION.initial
  | keyof Unsaid
  | 'id'
  | 'product_id'
  | 'created'
  | 'updated'
  | 'started_at'
  | 'due_at'
> &
  Partial<Unsaid & Beginning>

/** `is_elsewhere`: whether it was brought along; with a method of payment it is charged here all the same. */
type Unsaid = Pick<SubscriptionRow, 'region' | 'reminded_for' | 'is_elsewhere' | 'replaced_coupon_id'>

interface Beginning {
  /** That its license was issued with it, and so is on no install. */
  readonly isOfNewLicense: boolean
  /** What is paid at its beginning, where the payment is recorded as one that it has in its total. */
  readonly total_gross: number
}

/**
 * Starts a subscription, which falls due at `next_payment` unless it is paid elsewhere, and records `subscription.created`. 400
 * `subscription_active` while its license has one that is not cancelled, or `subscription_external_id_taken` when
 * its id at the gateway is known: unique indexes decide. An upgrade ends the earlier one first.
 */
export async function startSubscription(
  ctx: TxContext,
  scope: Scope,
  { isOfNewLicense = false, total_gross = 0, ...given }: NewSubscription,
): Promise<SubscriptionRow> {
  const isElsewhere = isPaidElsewhere(given)
  const subscription = await insertSubscription(ctx.db, {
    region: null,
    reminded_for: null,
    ...given,
    install_id: given.install_id ?? (isOfNewLicense ? null : await installOf(ctx, given)),
    ...SUBSCRIPTION.initial,
    total_gross,
    product_id: scope.productId,
    started_at: toUtcTime(ctx.clock.of(scope.productId, given.environment)),
    due_at: isElsewhere ? null : given.next_payment,
    is_elsewhere: isElsewhere,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!subscription) {
    throw invalid(
      'subscription_active',
      'The license is renewed by a subscription already, or its id at the gateway is taken.',
    )
  }
  const product = wholeProduct(scope)
  if (!isSandbox(subscription.environment)) await markPaying(ctx.db, product, subscription.user_id)
  if (subscription.license_id !== null && !isOfNewLicense) {
    await setSubscriptionOn(ctx.db, subscription.license_id, subscription.id)
  }
  await recordEvent(ctx, scope, {
    type: 'subscription.created',
    ...about(subscription),
    data: idsOf(subscription),
  })
  return subscription
}

const installOf = ({ db }: TxContext, { license_id: id }: NewSubscription) =>
  id === null ? null : installOfLicense(db, id)

/** What was brought along is charged where it came from, and here only written down. */
const isPaidElsewhere = ({ source, payment_method_id: method, is_elsewhere: isBrought }: NewSubscription) =>
  (source > 0 || isBrought) && method === null

/** Of a subscription that another one takes the place of. */
export const REPLACED: EndReason = { ids: [], text: null, isReplaced: true }

interface Ending extends EndReason {
  /** Its buyer or seller asks for it by name, and may take that back (`resumeSubscription`). */
  readonly isAsked?: true
}

const NO_REASON: EndReason = { ids: [], text: null }

/**
 * Cancels a subscription, with the trial it begins with: nothing is charged any more, the license keeps its
 * end. Records `subscription.cancelled` once, however many do so at once; undefined when it is cancelled already.
 */
export async function endSubscription(
  ctx: TxContext,
  scope: Scope,
  subscription: SubscriptionRow,
  { ids, text, isReplaced, isAsked }: Ending = NO_REASON,
): Promise<SubscriptionRow | undefined> {
  const { id, environment } = subscription
  const product = wholeProduct(scope, subscription.product_id)
  const now = toUtcTime(ctx.clock.of(subscription.product_id, environment))
  const updated = ctx.clock.now()
  const ended = await endSubscriptionRow(ctx.db, product, { id, now, updated, isAsked: isAsked === true })
  if (!ended) return undefined
  if (!isReplaced) await cancelTrialOf(ctx.db, { subscriptionId: id, now, updated })
  if (!isSandbox(environment)) await markPaying(ctx.db, product, ended.user_id)
  const reason = { reason_ids: ids.length === 0 ? null : ids.map(String), reason: text }
  await recordEvent(
    ctx,
    { ...scope, productId: ended.product_id },
    { type: 'subscription.cancelled', ...about(ended), data: { ...idsOf(ended), ...reason } },
  )
  return ended
}

const about = ({ user_id: userId, install_id: installId, environment }: SubscriptionRow) => ({
  environment,
  userId,
  ...(installId !== null && { installId }),
})

const idsOf = ({ id, license_id: license }: SubscriptionRow) => ({
  subscription_id: String(id),
  license_id: license === null ? null : String(license),
})
