import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { addMonths } from '../../lib/periods.ts'
import { SECOND } from '../../lib/time.ts'
import { addressKey } from '../../lib/token-buckets.ts'
import { guard, guardUntil, PAYING_HELD_MS } from './guard-queries.ts'
import type { CheckoutRow } from './schema.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { issueLicense } from '../../licensing/licenses/service.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { getPrice } from '../../catalogue/plans/pricing.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { CheckoutActionModule, KnownSale, Priced, Settling } from './action.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { priceOffer } from './quote.ts'
import { buyerOf, endAfter, methodOf, paymentOf, redeem, subscribedOf, type Known } from './sale.ts'
import { convertByPurchase } from '../subscriptions/convert-trial.ts'
import { guardCoupon } from '../coupons/coupon-guards.ts'
import { mayTell } from './free-purchase.ts'
import { mailLicense, mailLicenseTo } from '../../licensing/licenses/mail-licenses.ts'
import { recordSale } from '../payments/record-payment.ts'
import { findAbout } from '../../mail/mail-rows.ts'
import { renewalGrace } from './queries.ts'
import { stateOf, type Sold } from './state.ts'
import { startSubscription } from '../subscriptions/start-subscription.ts'

/** A buyer does not buy the same again within it (`docs/interface.md` 7.7). */
export const AGAIN_MS = 60 * SECOND
/** How the names begin under which a purchase is kept. */
const BUY = 'buy:'

/** A license for a buyer, with a subscription where it is paid again and again. */
export const purchase: CheckoutActionModule = {
  purpose: 'purchase',
  price: async (ctx, state) => ({
    ...(await priceOffer(ctx, state)),
    boughtAs: purchaseGuard(state.scope, state.row).name,
  }),
  hold: guardPurchase,
  async release() {},
  async isStill() {
    return true
  },
  async settle(tx, settling) {
    const { scope } = settling
    const { userId, madeUser, to } = await buyerOf(tx, settling)
    const isUnproven = isUnprovenGift(settling.checkout, settling.kept)
    const { sold } = await stateOf(tx, scope, settling.checkout)
    const license = await licenseOf(tx, settling, sold, { userId, isUnproven })
    const known = { userId, license, methodId: await methodOf(tx, settling, userId) }
    const subscription = await subscriptionOf(tx, settling, known)
    const { payment, bought } = await recordSale(tx, scope, {
      ...paymentOf(tx, settling, known),
      subscription_id: subscription?.id ?? null,
      isOfNewLicense: true,
    })
    await guardUntil(tx.db, settling.checkout.id, BUY, tx.clock.real() + AGAIN_MS)
    await redeem(tx, settling, userId, isUnproven ? license.id : null)
    const { environment } = settling.checkout
    // Nobody ends the trial of an address by typing it and paying nothing.
    if (!isUnproven) await convertByPurchase(tx, scope, { userId, environment, paymentId: payment.id })
    const about = await findAbout(tx.db, { productId: scope.productId, userId })
    const told = {
      to: { ...to, language: settling.checkout.language },
      about,
      bought,
      isKeyShown: sold.product?.expose_license_key !== false,
      isLedOn: (sold.product?.checkout_redirect_url ?? null) !== null,
    }
    if (await mayTell(tx, settling, { userId, to })) await tellOf(tx, settling, { license, sold, told })
    return { userId, madeUser, license, payment, subscription, known: told }
  },
}

/**
 * Keeps the purchase and its coupon for this checkout, until it was not paid or for a minute after it was. Who has only
 * typed the address is held against what was bought from the same place, so that nobody learns what others have bought
 * (`docs/decisions.md` 3.14).
 */
async function guardPurchase(tx: TxContext, scope: Scope, row: CheckoutRow, priced: Priced): Promise<void> {
  const own = { ...purchaseGuard(scope, row), forMs: PAYING_HELD_MS }
  if (!(await guard(tx.db, own, tx.clock.real()))) {
    const message = 'The same was bought less than a minute ago, or its payment is still under way.'
    throw invalid('already_purchased', message)
  }
  await guardCoupon(tx, scope, row, priced)
}

/** What the same buyer has under way once. */
export function purchaseGuard(scope: Pick<Scope, 'ip'>, row: CheckoutRow) {
  const name = isProvenBuyer(row) ? provenNameOf(row) : `${provenNameOf(row)}:${callerOf(scope, row)}`
  return { name, email_folded: fold(row.email), checkout_id: row.id }
}

/** Under which name who has proven to be the buyer has a purchase under way. */
export const provenNameOf = (
  row: Pick<CheckoutRow, 'product_id' | 'pricing_id' | 'billing_cycle' | 'environment'>,
) => `${BUY}${row.product_id}:${row.pricing_id}:${row.billing_cycle}:${row.environment}`

const callerOf = ({ ip }: Pick<Scope, 'ip'>, { visitor }: CheckoutRow) =>
  `${addressKey(ip ?? '')}:${visitor ?? ''}`

interface Telling {
  readonly license: LicenseRow
  readonly sold: Sold
  readonly told: KnownSale
}

async function tellOf(
  tx: TxContext,
  { scope, checkout }: Settling,
  { license, sold, told }: Telling,
): Promise<void> {
  const { product, offer } = sold
  if (!product || offer?.plan_id !== license.plan_id)
    return mailLicense(tx, scope, license, checkout.language)
  const hasPortalLink = product.enable_after_purchase_email_login_link
  await mailLicenseTo(tx, scope, license, { ...told, plan: offer.plan_title, hasPortalLink })
}

async function licenseOf(
  tx: TxContext,
  { scope, checkout, kept }: Settling,
  sold: Sold,
  { userId, isUnproven }: { readonly userId: number; readonly isUnproven: boolean },
): Promise<LicenseRow> {
  const { plan_id, pricing_id, billing_cycle: cycle, environment } = checkout
  const known = sold.offer?.plan_id === plan_id ? sold.rules : undefined
  const plan = known ?? (await getPlan(tx, scope, plan_id))
  const pricing = sold.offer ?? (await getPrice(tx, scope, pricing_id))
  const grace = sold.product?.renewal_grace_hours ?? (await renewalGrace(tx.db, scope))
  const ofCycle = cycle === 1 ? plan.is_block_features_monthly : plan.is_block_features
  return issueLicense(tx, scope, {
    user_id: userId,
    plan_id,
    pricing_id,
    quota: kept.licenses,
    expiration: kept.renewal === null ? null : endAfter(kept.renewal.at, grace),
    is_free_localhost: plan.is_free_localhost,
    is_block_features: ofCycle,
    is_whitelabeled: pricing.is_whitelabeled,
    is_unproven: isUnproven,
    environment,
  })
}

async function subscriptionOf(
  tx: TxContext,
  settling: Settling,
  known: Known,
): Promise<SubscriptionRow | null> {
  const { kept, checkout, scope } = settling
  if (kept.renewal === null) return null
  return startSubscription(tx, scope, {
    ...subscribedOf(settling, known),
    isOfNewLicense: true,
    total_gross: kept.quote.gross + kept.quote.tax,
    initial_amount: kept.quote.gross,
    renewal_amount: kept.renewal.quote.gross,
    trial_ends: null,
    period_anchor: kept.now,
    period_start: kept.now,
    next_payment: addMonths(kept.now, checkout.billing_cycle),
  })
}
