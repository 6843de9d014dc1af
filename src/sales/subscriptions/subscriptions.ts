import type { ReadContext, TxContext } from '../../context.ts'
import type { Cycle } from '../../db/tables/payments.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { toDecimal, toMinor } from '../../lib/money.ts'
import { addMonths } from '../../lib/periods.ts'
import { firstNotice, TRIAL_NOTICES } from '../../licensing/notices/notices.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { currencyOfPricing, hasRenewalInFlight, moveNextPayment, subscriptionsOfLicenses } from './queries.ts'
import { activeOfLicense } from './subscription-rows.ts'
import type { SubscriptionRow } from './schema.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { isFirstPayment } from '../renewals/quote.ts'
import type { EndReason, LicenseSubscription } from '../../licensing/hooks.ts'
import { endSubscription, startSubscription } from './start-subscription.ts'
import { moveTrialOf, moveTrialOnInstalls } from '../../licensing/trials/buyer-trial-rows.ts'

const GATEWAYS = ['paypal', 'stripe', 'test'] as const

/** The active subscription of each license, or else its latest one; a license without any is left out. */
export async function subscriptionsOf(
  { db }: ReadContext,
  licenseIds: readonly number[],
): Promise<ReadonlyMap<number, LicenseSubscription>> {
  const found = new Map<number, SubscriptionRow>()
  if (licenseIds.length === 0) return new Map()
  for (const row of await subscriptionsOfLicenses(db, licenseIds)) {
    if (row.license_id !== null) found.set(row.license_id, currentOf(found.get(row.license_id), row))
  }
  return new Map([...found].map(([id, row]) => [id, told(row)]))
}

/** Of two of one license, the later one last: the one that renews it, or else the later one. */
export const currentOf = (earlier: SubscriptionRow | undefined, later: SubscriptionRow): SubscriptionRow =>
  earlier?.canceled_at === null && later.canceled_at !== null ? earlier : later

const told = (row: SubscriptionRow): LicenseSubscription => ({
  id: row.id,
  isActive: row.canceled_at === null,
  trialEnds: row.trial_ends,
  nextPayment: row.next_payment,
  gateway: GATEWAYS.find((code) => row.gateway?.startsWith(code)) ?? null,
  failedPayments: row.failed_payments,
  initialAmount: toDecimal(row.initial_amount),
  totalGross: toDecimal(row.total_gross),
})

/** Whether a license is renewed by itself. */
export async function isRenewing(ctx: ReadContext, licenseId: number): Promise<boolean> {
  return (await activeOfLicense(ctx.db, licenseId)) !== undefined
}

/**
 * Whether the first attempt at a renewal is under way, while which the license does not lapse
 * (`docs/decisions.md` 5.5).
 */
export const isRenewalInFlight = (ctx: ReadContext, licenseId: number): Promise<boolean> =>
  hasRenewalInFlight(ctx.db, licenseId)

/** Ends the renewals of a license; one that has none stays as it is. */
export async function endRenewals(
  ctx: TxContext,
  scope: Scope,
  licenseId: number,
  reason?: EndReason,
): Promise<void> {
  const active = await activeOfLicense(ctx.db, licenseId)
  if (active) await endSubscription(ctx, scope, active, reason)
}

/**
 * Moves the next renewal of a license, or the end of its trial, from which its periods count then. Never to an
 * earlier time, at which nobody agreed to pay (`docs/interface.md` 5.7).
 */
export async function moveRenewal(
  ctx: TxContext,
  scope: Scope,
  { licenseId, at }: { readonly licenseId: number; readonly at: UtcTime },
): Promise<void> {
  const active = await activeOfLicense(ctx.db, licenseId)
  if (!active) return
  const within = wholeProduct(scope, active.product_id)
  const updated = ctx.clock.now()
  if (!(await moveNextPayment(ctx.db, within, { id: active.id, at, updated }))) return
  if (!isFirstPayment(active)) return
  const now = toUtcTime(ctx.clock.of(active.product_id, active.environment))
  const notices = firstNotice(at, now, TRIAL_NOTICES)
  await moveTrialOf(ctx.db, active.id, { trial_ends_at: at, ...notices, updated })
  await moveTrialOnInstalls(ctx.db, licenseId, at, updated)
}

/** What was paid elsewhere for a license that is brought along; amounts in units of its currency. */
export interface PaidElsewhere {
  readonly licenseId: number
  readonly userId: number
  /** Months; 0: once. */
  readonly cycle: number
  readonly gross: number
  readonly vat: number
  readonly processedAt: string | undefined
  readonly externalId: string | undefined
  readonly subscriptionExternalId: string | undefined
  readonly nextPayment: string | undefined
}

/**
 * Writes down what was paid elsewhere: of what is paid again and again a subscription, which is not charged here,
 * with a payment when that is named; the id of the payment or subscription.
 */
export async function recordPaidElsewhere(
  ctx: TxContext,
  scope: Scope,
  paid: PaidElsewhere,
): Promise<number> {
  const [license] = await findLicense(ctx.db, scope, { id: paid.licenseId })
  if (!license) throw notFound('license')
  const currency = await currencyOfPricing(ctx.db, license.pricing_id)
  const at = timeOf(paid.processedAt) ?? toUtcTime(ctx.clock.of(license.product_id, license.environment))
  const given = { paid, license, currency, at }
  if (paid.cycle === 0) return (await recordPayment(ctx, scope, paymentOf(given))).id
  const subscription = await startSubscription(ctx, scope, subscriptionOf(given))
  if (paid.externalId !== undefined) {
    await recordPayment(ctx, scope, { ...paymentOf(given), subscription_id: subscription.id })
  }
  return subscription.id
}

const timeOf = (text: string | undefined) => (text === undefined ? null : parseTimeText(text, 'first second'))

interface Brought {
  readonly paid: PaidElsewhere
  readonly license: LicenseRow
  readonly currency: SubscriptionRow['currency']
  readonly at: UtcTime
}

const cycleOf = ({ cycle }: PaidElsewhere): Cycle => (cycle === 0 || cycle === 1 ? cycle : 12)

/** Nothing is known of who paid, and how. */
const boughtOf = ({ paid, license, currency }: Brought) => ({
  user_id: paid.userId,
  install_id: null,
  plan_id: license.plan_id,
  pricing_id: license.pricing_id,
  license_id: license.id,
  coupon_id: null,
  payment_method_id: null,
  gateway: null,
  billing_cycle: cycleOf(paid),
  currency,
  tax_rate: 0,
  country_code: null,
  zip_postal_code: null,
  vat_id: null,
  ip: null,
  source: license.source,
  environment: license.environment,
})

const paymentOf = (brought: Brought) => ({
  ...boughtOf(brought),
  external_id: brought.paid.externalId ?? null,
  subscription_id: null,
  bound_payment_id: null,
  type: 'payment' as const,
  gross: toMinor(brought.paid.gross),
  tax: toMinor(brought.paid.vat),
  tax_rule: null,
  gateway_fee: 0,
  is_renewal: false,
  refund_reason: null,
  processed_at: brought.at,
})

function subscriptionOf(brought: Brought) {
  const { paid, license, at } = brought
  const amount = toMinor(paid.gross)
  const told = timeOf(paid.nextPayment) ?? license.expiration
  return {
    ...boughtOf(brought),
    external_id: paid.subscriptionExternalId ?? null,
    amount_per_cycle: amount,
    initial_amount: amount,
    renewal_amount: amount,
    renewals_discount: 0,
    renewals_discount_type: 'percentage' as const,
    trial_ends: null,
    is_elsewhere: true,
    period_anchor: told ?? at,
    period_start: at,
    next_payment: told ?? addMonths(at, cycleOf(paid)),
  }
}
