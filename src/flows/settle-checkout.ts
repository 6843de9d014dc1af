import type { TxContext } from '../context.ts'
import type { ChargeOutcome, Declined, Paid, StoredMethod } from '../gateways/gateway.ts'
import type { Scope } from '../http/scope.ts'
import { ApiError, Refused } from '../lib/errors.ts'
import { fold } from '../lib/fold.ts'
import { addMonths } from '../lib/periods.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../lib/time.ts'
import { completeCart } from '../resources/carts/service.ts'
import { endPaying, noteBought, renewalGrace, unguard } from '../resources/checkouts/queries.ts'
import type { CheckoutRow } from '../resources/checkouts/schema.ts'
import { insertRedemption } from '../resources/coupons/redemption-queries.ts'
import type { LicenseRow } from '../resources/licenses/schema.ts'
import { issueLicense } from '../resources/licenses/service.ts'
import { decideCharge, nameCharge, setOutcome } from '../resources/payments/charge-queries.ts'
import { insertMethod } from '../resources/payments/queries.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { getPlan } from '../resources/plans/service.ts'
import { getPricing } from '../resources/plans/pricing.ts'
import type { SubscriptionRow } from '../resources/subscriptions/schema.ts'
import { addKnownUser, addNewUser } from '../resources/users/create.ts'
import { NEW_USER } from './child-license.ts'
import { mailLicense } from './mail-licenses.ts'
import { letGo, type Asked, type Kept } from './pay-checkout.ts'
import { recordPayment } from './record-payment.ts'
import { startSubscription } from './start-subscription.ts'

/** What was bought. */
export interface Bought {
  readonly checkout: CheckoutRow
  readonly license: LicenseRow
  readonly payment: PaymentRow
  readonly subscription: SubscriptionRow | null
}

/** The buyer must confirm elsewhere, or the bank takes its time. */
export interface Unsettled {
  readonly confirmationUrl: string | null
}

/**
 * Writes down what a gateway said of a purchase, once, however often it is settled: the buyer as a user, the license,
 * the subscription of what is paid again, the payment with its postings, the coupon and the cart, all of it or
 * nothing. 400 with the bank's reason when it was declined: the checkout is open again. Undefined when it was settled
 * before.
 */
export async function settleCheckout(
  tx: TxContext,
  asked: Asked,
): Promise<Bought | Unsettled | Refused | undefined> {
  const { charge, outcome, scope, checkout, kept } = asked
  if (charge === null) return buy(tx, asked, null)
  if (outcome === null) return { confirmationUrl: null }
  switch (outcome.outcome) {
    case 'paid':
      return (await decide(tx, asked, outcome)) ? buy(tx, asked, outcome) : undefined
    case 'declined':
      if (await decide(tx, asked, outcome)) await letGo(tx, scope, checkout, kept.couponId)
      return refused(outcome)
    case 'pending':
      await nameCharge(tx.db, scope, {
        id: charge.id,
        externalId: outcome.externalId,
        updated: toUtcTime(tx.clock.real()),
      })
      return { confirmationUrl: outcome.confirmationUrl }
    default:
      return outcome satisfies never
  }
}

const refused = ({ reason, message }: Declined) =>
  new Refused(new ApiError(400, `payment_${reason}`, message))

const decide = (
  tx: TxContext,
  { scope, charge }: Asked,
  outcome: Exclude<ChargeOutcome, { outcome: 'pending' }>,
) =>
  decideCharge(tx.db, scope, {
    id: charge?.id ?? 0,
    state: outcome.outcome === 'paid' ? 'settled' : 'declined',
    externalId: outcome.externalId,
    at: toUtcTime(tx.clock.real()),
  })

async function buy(tx: TxContext, asked: Asked, paid: Paid | null): Promise<Bought | undefined> {
  const { scope, charge, kept } = asked
  const checkout = await endPaying(tx.db, asked.checkout.id, {
    state: 'paid',
    updated: toUtcTime(tx.clock.real()),
  })
  if (!checkout) return undefined
  const userId = await buyerOf(tx, scope, checkout)
  const license = await licenseOf(tx, scope, { checkout, kept, userId })
  const about = {
    checkout,
    kept,
    userId,
    license,
    paid,
    methodId: await methodOf(tx, scope, {
      userId,
      checkout,
      gateway: charge?.gateway ?? '',
      method: paid?.method ?? null,
    }),
  }
  const subscription = await subscriptionOf(tx, scope, asked, about)
  const payment = await recordPayment(tx, scope, {
    ...paymentOf(asked, about),
    subscription_id: subscription?.id ?? null,
  })
  if (charge) await setOutcome(tx.db, scope, charge.id, payment.id)
  await redeem(tx, scope, { kept, userId })
  await unguardCoupons(tx, checkout, kept)
  if (checkout.cart_id !== null) {
    await completeCart(tx, scope, { cartId: checkout.cart_id, userId, gross: kept.quote.gross })
  }
  await noteBought(tx.db, checkout.id, {
    user_id: userId,
    license_id: license.id,
    payment_id: payment.id,
    subscription_id: subscription?.id ?? null,
  })
  await mailLicense(tx, scope, license)
  return { checkout, license, payment, subscription }
}

/** The guard of the purchase itself stays for its minute. */
const unguardCoupons = (tx: TxContext, { id }: CheckoutRow, { couponId }: Kept) =>
  couponId === null ? undefined : unguard(tx.db, id, `coupon:${couponId}`)

/** A person of this address gets what was bought, and nothing of that person is shown (DECISIONS 3.1). */
async function buyerOf(tx: TxContext, scope: Scope, checkout: CheckoutRow): Promise<number> {
  if (checkout.user_id !== null) return checkout.user_id
  const { email, first, last, ip } = checkout
  const input = {
    ...NEW_USER,
    email,
    first: first || fold(email).split('@')[0] || 'Buyer',
    last,
    send_verification_email: false,
    ...(ip !== null && { ip }),
  }
  const user = (await addNewUser(tx, scope, input)) ?? (await addKnownUser(tx, scope, input))
  return user.id
}

interface Sale {
  readonly checkout: CheckoutRow
  readonly kept: Kept
  readonly userId: number
}

async function licenseOf(tx: TxContext, scope: Scope, { checkout, kept, userId }: Sale): Promise<LicenseRow> {
  const { plan_id, pricing_id, billing_cycle: cycle, environment } = checkout
  const plan = await getPlan(tx, scope, plan_id)
  const pricing = await getPricing(tx, scope, { plan_id, pricing_id })
  const ofCycle = cycle === 1 ? plan.is_block_features_monthly : plan.is_block_features
  return issueLicense(tx, scope, {
    userId,
    planId: plan.id,
    pricingId: pricing.id,
    quota: kept.licenses,
    expiration: kept.renewal === null ? null : await endOf(tx, scope, kept.renewal.at),
    isFreeLocalhost: plan.is_free_localhost === 1,
    isBlockFeatures: ofCycle === 1,
    isWhitelabeled: pricing.is_whitelabeled === 1,
    environment,
  })
}

/** A license lives some hours longer than what is paid, so that a renewal that goes through never lets it lapse. */
async function endOf(tx: TxContext, scope: Scope, paidUntil: UtcTime): Promise<UtcTime> {
  const hours = await renewalGrace(tx.db, scope)
  return toUtcTime(fromUtcTime(paidUntil) + hours * HOUR)
}

interface Known extends Sale {
  readonly license: LicenseRow
  readonly paid: Paid | null
  readonly methodId: number | null
}

interface Paying {
  readonly userId: number
  readonly checkout: CheckoutRow
  readonly gateway: string
  readonly method: StoredMethod | null
}

/** Keeps the method of payment for renewals; null where none is to be kept. */
async function methodOf(
  tx: TxContext,
  scope: Scope,
  { userId, checkout, gateway, method }: Paying,
): Promise<number | null> {
  if (!method) return null
  const card = method.card ?? { brand: null, last4: null, expiryMonth: null, expiryYear: null }
  const { id } = await insertMethod(tx.db, {
    product_id: scope.productId,
    user_id: userId,
    gateway,
    kind: method.kind,
    token: tx.keys.seal(method.token, 'payment_methods.token'),
    brand: card.brand,
    last4: card.last4,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    environment: checkout.environment,
    created: toUtcTime(tx.clock.real()),
    updated: null,
  })
  return id
}

const boughtOf = ({ charge }: Asked, { checkout, kept, userId, license, paid, methodId }: Known) => ({
  user_id: userId,
  install_id: null,
  plan_id: checkout.plan_id,
  pricing_id: checkout.pricing_id,
  license_id: license.id,
  coupon_id: kept.couponId,
  payment_method_id: methodId,
  gateway: paid ? (charge?.gateway ?? null) : null,
  billing_cycle: checkout.billing_cycle,
  currency: kept.quote.currency,
  tax_rate: kept.tax.rate,
  country_code: checkout.country_code,
  zip_postal_code: checkout.zip_postal_code,
  vat_id: checkout.vat_id,
  ip: checkout.ip,
  source: 0,
  environment: checkout.environment,
})

async function subscriptionOf(
  tx: TxContext,
  scope: Scope,
  asked: Asked,
  known: Known,
): Promise<SubscriptionRow | null> {
  const { kept } = known
  if (kept.renewal === null) return null
  return startSubscription(tx, scope, {
    ...boughtOf(asked, known),
    region: known.checkout.region,
    external_id: null,
    amount_per_cycle: kept.amountPerCycle,
    initial_amount: kept.quote.gross,
    renewal_amount: kept.renewal.quote.gross,
    renewals_discount: kept.renewalsDiscount.discount,
    renewals_discount_type: kept.renewalsDiscount.type,
    trial_ends: null,
    period_anchor: kept.now,
    period_start: kept.now,
    next_payment: addMonths(kept.now, known.checkout.billing_cycle),
  })
}

const paymentOf = (asked: Asked, known: Known) => ({
  ...boughtOf(asked, known),
  external_id: known.paid?.externalId ?? null,
  bound_payment_id: null,
  type: 'payment' as const,
  gross: known.kept.quote.gross,
  tax: known.kept.quote.tax,
  tax_rule: known.kept.tax.rule,
  gateway_fee: known.paid?.fee ?? 0,
  is_renewal: 0 as const,
  refund_reason: null,
  processed_at: known.kept.now,
})

/** The count was taken when it was begun to pay. */
async function redeem(
  tx: TxContext,
  scope: Scope,
  { kept, userId }: { readonly kept: Kept; readonly userId: number },
): Promise<void> {
  if (kept.couponId === null) return
  await insertRedemption(tx.db, {
    product_id: scope.productId,
    coupon_id: kept.couponId,
    user_id: userId,
    created: toUtcTime(tx.clock.real()),
  })
}
