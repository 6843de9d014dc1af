import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { firstNotice, TRIAL_NOTICES } from '../../licensing/notices/notices.ts'
import { quoteFirstPayment } from '../quotes/quote.ts'
import { DAY, fromUtcTime, MINUTE, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { guard, hasGuard, unguard } from './guard-queries.ts'
import { holdPaying } from './queries.ts'
import type { CheckoutOpen, CheckoutRow } from './schema.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { issueLicense } from '../../licensing/licenses/service.ts'
import { getPrice } from '../../catalogue/plans/pricing.ts'
import type { PlanRow } from '../../catalogue/plans/schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import { insertTrial } from '../../licensing/trials/trial-rows.ts'
import { dataOfTrial, type TrialRow } from '../../licensing/trials/schema.ts'
import type { Asked, Bought, CheckoutActionModule, Priced, Settling } from './action.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { priceOffer } from './quote.ts'
import type { CheckoutState } from './state.ts'
import { buyerIn, buyerOf, endOf, methodOf, redeem, subscribedOf, type Known } from './sale.ts'
import { guardCoupon } from '../coupons/coupon-guards.ts'
import { mailLicense } from '../../licensing/licenses/mail-licenses.ts'
import { startSubscription } from '../subscriptions/start-subscription.ts'
import { hasTriedProduct, uidOfBuyer } from '../../licensing/trials/buyer-trial-rows.ts'
import { beginAgain } from './unproven-trial.ts'

/** How long a buyer has a trial under way in one checkout only; its row keeps it after that. */
const HELD_MS = 60 * MINUTE

interface WantedTrial {
  readonly planId: number
  readonly wanted: 'true' | 'free' | 'paid'
}

/**
 * Which trial a checkout that is opened with `trial` is for: `paid` asks for a method of payment, as does `true` where
 * the plan requires one (`docs/interface.md` 7.6, 8.2). 400 `trial_not_available`.
 */
export async function trialOf(
  ctx: ReadContext,
  scope: Scope,
  { planId, wanted }: WantedTrial,
): Promise<'free' | 'paid'> {
  const plan = await getPlan(ctx, scope, planId)
  const kind = wanted === 'true' ? (plan.is_require_subscription ? 'paid' : 'free') : wanted
  requireTrial(plan, kind)
  return kind
}

/** How many days it lasts. */
function requireTrial(plan: PlanRow, kind: CheckoutRow['trial']): number {
  if (plan.trial_period === null || plan.trial_period === 0) {
    throw invalid('trial_not_available', 'This plan has no trial.')
  }
  if (kind === 'free' && plan.is_require_subscription) {
    throw invalid('trial_not_available', 'The trial of this plan needs a method of payment.')
  }
  return plan.trial_period
}

/**
 * As where the plan has no trial, so that nobody learns of an address what its owner has tried
 * (`docs/decisions.md` 3.14).
 */
const utilized = () => invalid('trial_not_available', 'This trial is not available.')

/** 400 `trial_not_available` for a buyer who has tried the product, on an install or at a checkout. */
async function refuseTried({ db }: ReadContext, row: CheckoutRow): Promise<void> {
  if (await hasTriedProduct(db, trierIn(row))) throw utilized()
}

const trierIn = (row: CheckoutRow) => ({ ...buyerIn(row), isProven: isProvenBuyer(row) })

/** What an address has under way once. */
const nameOf = (row: Pick<CheckoutRow, 'product_id' | 'environment'>) =>
  `trial:${row.product_id}:${row.environment}`

const guardOf = (row: CheckoutRow) => ({
  name: nameOf(row),
  email_folded: fold(row.email),
  checkout_id: row.id,
  forMs: HELD_MS,
})

/**
 * Whether no buyer who has proven it has begun to pay a trial since: that one is let through
 * (`docs/decisions.md` 3.14).
 */
async function keepsTrial(tx: TxContext, row: CheckoutRow): Promise<boolean> {
  if (isProvenBuyer(row) || !(await holdPaying(tx.db, row, tx.clock.now()))) return true
  const [own, now] = [guardOf(row), tx.clock.real()]
  return (await hasGuard(tx.db, own, now)) || guard(tx.db, own, now)
}

/** 400 `trial_not_available` at once for a proven buyer who has tried the product (`docs/decisions.md` 3.14). */
export async function refuseProven(ctx: ReadContext, row: CheckoutRow): Promise<void> {
  if (row.action === 'trial' && isProvenBuyer(row)) await refuseTried(ctx, row)
}

/**
 * A plan that a buyer tries, of each product once: free, and then it ends; or with a method of payment that is charged
 * when it ends (`docs/interface.md` 7.6). A guard, and then a unique index, decides of several at once.
 */
export const trial: CheckoutActionModule = {
  purpose: 'purchase',
  price: priceTrial,
  async hold(tx, scope, row, priced) {
    if (!(await guard(tx.db, guardOf(row), tx.clock.real(), isProvenBuyer(row)))) throw utilized()
    // Once no other checkout can change it.
    await refuseTried(tx, row)
    await guardCoupon(tx, scope, row, priced)
  },
  async release() {},
  isStill: async (tx: TxContext, { checkout }: Asked) =>
    (await keepsTrial(tx, checkout)) && !(await hasTriedProduct(tx.db, trierIn(checkout))),
  settle,
}

/** A trial that is asked for by its other name. */
export const trialAsked = ({ trial, is_trial: isTrial }: CheckoutOpen): Pick<CheckoutOpen, 'trial'> =>
  trial === undefined && isTrial === true ? { trial: 'true' } : {}

/** Nothing now; and, where a method of payment is kept, what is charged at the end, taxed as on that day. */
async function priceTrial(ctx: ReadContext, state: CheckoutState): Promise<Priced> {
  const { scope, row } = state
  const days = requireTrial(await getPlan(ctx, scope, row.plan_id), row.trial)
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const endsAt = after(now, days)
  const isPaid = row.trial === 'paid'
  const priced = await priceOffer(ctx, state, { paidFrom: endsAt })
  const { currency } = priced.price
  return {
    ...priced,
    quote: quoteFirstPayment({ currency, price: 0, credit: 0, coupon: null, taxRate: 0 }),
    coupon: isPaid ? priced.coupon : null,
    renewal: isPaid ? priced.renewal : null,
    rules: { price: { rule: 'trial' } },
    needsMethod: isPaid,
    trial: { days, endsAt, firstPayment: isPaid ? priced.quote : null },
  }
}

const after = (time: UtcTime, days: number) => toUtcTime(fromUtcTime(time) + days * DAY)

async function settle(tx: TxContext, settling: Settling): Promise<Bought> {
  const { scope, checkout, kept } = settling
  const now = toUtcTime(tx.clock.of(scope.productId, checkout.environment))
  const ends = after(now, kept.trial?.days ?? 0)
  const { userId, madeUser } = await buyerOf(tx, settling)
  const again = await beginAgain(tx, settling, { userId, now, ends })
  const {
    license,
    subscription,
    trial: begun,
  } = again ? { ...again, subscription: null } : await beginAnew(tx, settling, { userId, now, ends })
  await recordStart(tx, scope, begun)
  await redeem(tx, settling, userId, license.is_unproven ? license.id : null)
  await mailLicense(tx, scope, license, checkout.language)
  // What it kept from beginning beside it is judged by the trial that is there from now on.
  await unguard(tx.db, checkout.id, [nameOf(checkout)])
  return { userId, madeUser, license, payment: null, subscription, trial: begun }
}

async function beginAnew(
  tx: TxContext,
  settling: Settling,
  { userId, now, ends }: Lasting & { readonly now: UtcTime },
) {
  const license = await licenseOf(tx, settling, { userId, ends })
  const known = { userId, license, methodId: await methodOf(tx, settling, userId) }
  const subscription = await subscriptionOf(tx, settling, { ...known, now, ends })
  const trial = await beginTrial(tx, settling, { userId, license, subscription, now, ends })
  return { license, subscription, trial }
}

interface Lasting {
  readonly userId: number
  /** On the clock of the checkout's environment. */
  readonly ends: UtcTime
}

/** What is charged at the end of the trial has as long as a renewal to go through (`docs/decisions.md` 5.5). */
async function licenseOf(
  tx: TxContext,
  { scope, checkout, kept }: Settling,
  { userId, ends }: Lasting,
): Promise<LicenseRow> {
  const { plan_id, pricing_id, environment } = checkout
  const plan = await getPlan(tx, scope, plan_id)
  const pricing = await getPrice(tx, scope, pricing_id)
  return issueLicense(tx, scope, {
    user_id: userId,
    plan_id: plan.id,
    pricing_id: pricing.id,
    quota: kept.licenses,
    expiration: checkout.trial === 'paid' ? await endOf(tx, scope, ends) : ends,
    is_free_localhost: plan.is_free_localhost,
    is_block_features: true,
    is_whitelabeled: pricing.is_whitelabeled,
    is_trial: true,
    // A free one has neither a coupon nor a subscription, and leaves nothing of its buyer.
    is_unproven: checkout.trial === 'paid' && isUnprovenGift(checkout, kept),
    environment,
  })
}

/** Null without a method of payment: nothing is charged at the end. */
async function subscriptionOf(
  tx: TxContext,
  settling: Settling,
  known: Known & Lasting & { readonly now: UtcTime },
): Promise<SubscriptionRow | null> {
  const { scope, kept } = settling
  const first = kept.trial?.firstPayment
  if (!first) return null
  return startSubscription(tx, scope, {
    ...subscribedOf(settling, known),
    initial_amount: first.gross,
    renewal_amount: (kept.renewal?.quote ?? first).gross,
    trial_ends: known.ends,
    period_anchor: known.ends,
    period_start: known.now,
    next_payment: known.ends,
  })
}

interface Beginning extends Lasting {
  readonly license: LicenseRow
  readonly subscription: SubscriptionRow | null
  readonly now: UtcTime
}

async function beginTrial(
  tx: TxContext,
  { scope, checkout }: Settling,
  { userId, license, subscription, now, ends }: Beginning,
): Promise<TrialRow> {
  const { environment, plan_id: planId } = checkout
  const row = await insertTrial(tx.db, {
    product_id: scope.productId,
    user_id: userId,
    install_id: null,
    uid: uidOfBuyer(environment),
    plan_id: planId,
    license_id: license.id,
    payment_id: null,
    subscription_id: subscription?.id ?? null,
    started_at: now,
    trial_ends_at: ends,
    with_payment_method: subscription !== null,
    canceled_at: null,
    converted_at: null,
    environment,
    ...firstNotice(ends, now, TRIAL_NOTICES),
    is_unproven: !isProvenBuyer(checkout),
    created: tx.clock.now(),
    updated: null,
  })
  if (!row) throw utilized()
  return row
}

async function recordStart(tx: TxContext, scope: Scope, trial: TrialRow): Promise<void> {
  await recordEvent(tx, scope, {
    type: 'user.trial.started',
    environment: trial.environment,
    userId: trial.user_id,
    data: dataOfTrial(trial),
  })
}
