import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { toMinor } from '../../lib/money.ts'
import { addMonths } from '../../lib/periods.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { changeLicense } from '../../licensing/licenses/change.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { hasPayments, NOTHING_OWED, updateSubscriptionRow } from '../subscriptions/subscription-rows.ts'
import type { MigratedPayment, SubscriptionRow } from '../subscriptions/schema.ts'
import { getSubscription } from '../subscriptions/service.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { holdFamily, scopeOfLicense } from '../../licensing/licenses/family.ts'
import { recordPayment } from '../payments/record-payment.ts'

/**
 * Writes down a payment of a subscription that was made elsewhere, all but the first as renewals. With
 * `is_extend_license` the license and what it opened end a cycle later (`docs/interface.md` 7.2). 404 without
 * such a subscription, 400 `payment_external_id_taken` for one that is there.
 */
export async function migratePayment(
  ctx: TxContext,
  given: Scope,
  id: number,
  input: MigratedPayment,
): Promise<PaymentRow> {
  const scope: Scope = input.is_migration ? { ...given, isSilent: true } : given
  const before = await getSubscription(ctx, scope, id)
  if (input.is_extend_license) await extend(ctx, scope, before)
  const subscription = await hold(ctx.db, 'subscriptions', scope, id)
  if (!subscription) throw notFound('subscription')
  const payment = await recordPayment(ctx, scope, {
    ...paymentOf(subscription, input),
    is_renewal: await hasPayments(ctx.db, id),
    processed_at:
      timeOf(input.processed_at) ?? toUtcTime(ctx.clock.of(scope.productId, subscription.environment)),
  })
  const next = timeOf(input.next_payment)
  if (next !== null && subscription.canceled_at === null) {
    await setNext(ctx, scope, subscription, { paidAt: payment.processed_at, next })
  }
  return payment
}

const timeOf = (text: string | null | undefined): UtcTime | null =>
  text === null || text === undefined ? null : parseTimeText(text, 'first second')

function paymentOf(row: SubscriptionRow, input: MigratedPayment) {
  return {
    user_id: row.user_id,
    install_id: row.install_id,
    subscription_id: row.id,
    plan_id: row.plan_id,
    pricing_id: row.pricing_id,
    license_id: row.license_id,
    coupon_id: null,
    bound_payment_id: null,
    payment_method_id: null,
    type: 'payment' as const,
    gross: input.gross === undefined ? row.renewal_amount : toMinor(input.gross),
    tax: toMinor(input.vat),
    tax_rate: row.tax_rate,
    tax_rule: null,
    gateway_fee: toMinor(input.gateway_fee),
    currency: row.currency,
    billing_cycle: row.billing_cycle,
    external_id: input.payment_external_id ?? null,
    gateway: null,
    country_code: row.country_code,
    zip_postal_code: row.zip_postal_code,
    vat_id: row.vat_id,
    ip: row.ip,
    source: input.source === undefined ? row.source : SOURCES[input.source],
    environment: row.environment,
    refund_reason: null,
  }
}

/** A license that never ends, or was deleted, stays as it is. */
async function extend(ctx: TxContext, scope: Scope, subscription: SubscriptionRow): Promise<void> {
  const { license_id: licenseId, billing_cycle: cycle } = subscription
  if (licenseId === null || cycle === 0) return
  const { license, children } = await holdFamily(ctx, scope, licenseId)
  if (license.expiration === null) return
  const change = { expiration: addMonths(license.expiration, cycle) }
  for (const one of [...children, license]) {
    await changeLicense(ctx, scopeOfLicense(scope, one), one, { change, isRenewal: true })
  }
}

/** What is paid is the period from the payment to the next one. */
async function setNext(
  ctx: TxContext,
  scope: Scope,
  { id, due_at: due, period_start: start }: SubscriptionRow,
  { paidAt, next }: { readonly paidAt: UtcTime; readonly next: UtcTime },
): Promise<void> {
  await updateSubscriptionRow(ctx.db, scope, id, {
    next_payment: next,
    due_at: due === null ? null : next,
    period_anchor: next,
    ...NOTHING_OWED,
    ...(paidAt > start && paidAt < next && { period_start: paidAt }),
    updated: ctx.clock.now(),
  })
}
