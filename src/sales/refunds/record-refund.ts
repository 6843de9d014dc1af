import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import type { TaxRule } from '../taxes/tax.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { PaidParts } from './refunds.ts'
import { recordEvent } from '../../events/log/record.ts'
import { refundsUnderWay } from '../charges/charge-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { findLicense } from '../../licensing/licenses/license-rows.ts'
import { findSubscription } from '../subscriptions/subscription-rows.ts'
import { cancelLicenseAndTell } from '../../licensing/licenses/cancel-license.ts'
import { recordUnlessKnown, undoing } from '../payments/record-payment.ts'
import type { Resting } from './resting-refunds.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import { endRenewals } from '../subscriptions/subscriptions.ts'

/** What is given back of a payment, taken from it already, and what follows. */
export interface RefundTerms extends PaidParts, Resting {
  readonly paymentId: number
  readonly reason: string | null
  /** Null: when nothing is left of the payment. */
  readonly cancelLicense: boolean | null
  readonly cancelSubscription: boolean | null
  /** Why the sale is taxed otherwise than it was; absent: it is not. */
  readonly taxRule?: TaxRule
}

/**
 * Writes down a refund with its postings, and `payment.refund`; one after which nothing is left of the payment
 * cancels license and subscription unless the caller has said otherwise (`docs/decisions.md` 5.6). While another one
 * that would do so is under way, which the gateway may still refuse, that one does (`docs/decisions.md` 5.13).
 */
export async function recordRefund(
  ctx: TxContext,
  scope: Scope,
  terms: RefundTerms,
  externalId: string | null,
): Promise<PaymentRow> {
  // Held, so that of two that are made at once the second sees the first.
  const payment = await hold(ctx.db, 'payments', scope, terms.paymentId)
  if (!payment) throw notFound('payment')
  const isAll = payment.refunded_gross === payment.gross && payment.refunded_tax === payment.tax
  const others = isAll ? await refundsUnderWay(ctx.db, scope, payment.id) : []
  const waiting = others.map(({ details }) => JSON.parse(details ?? '{}') as Partial<RefundTerms>)
  await cancelBought(ctx, scope, payment, {
    license: terms.cancelLicense ?? (isAll && waiting.every((one) => one.cancelLicense === false)),
    subscription:
      terms.cancelSubscription ?? (isAll && waiting.every((one) => one.cancelSubscription === false)),
  })
  const refund = await recordUnlessKnown(ctx, scope, {
    ...undoing(payment, 'refund', toUtcTime(ctx.clock.of(payment.product_id, payment.environment))),
    gross: 0 - terms.gross,
    tax: 0 - terms.tax,
    gateway_fee: 0,
    external_id: externalId,
    refund_reason: terms.reason,
    ...(terms.taxRule && { tax_rule: terms.taxRule }),
  })
  if (!refund) throw new Error('A gateway names each refund anew.')
  await recordEvent(ctx, scope, {
    type: 'payment.refund',
    environment: payment.environment,
    userId: payment.user_id,
    licenseId: payment.license_id,
    ...(payment.install_id !== null && { installId: payment.install_id }),
    data: { payment_id: String(refund.id), bound_payment_id: String(payment.id) },
  })
  return refund
}

/**
 * Ends what a payment was for: whatever renews its license now, or without a license its own subscription. A license
 * that is cancelled is not renewed either.
 */
export async function cancelBought(
  ctx: TxContext,
  scope: Scope,
  payment: PaymentRow,
  ends: { readonly license: boolean; readonly subscription: boolean },
): Promise<void> {
  const product = wholeProduct(scope)
  const { license_id: licenseId, subscription_id: subscriptionId } = payment
  if (ends.license && licenseId !== null) {
    const [license] = await findLicense(ctx.db, product, { id: licenseId })
    if (license) await cancelLicenseAndTell(ctx, product, licenseId, {})
  }
  if (!ends.subscription) return
  if (licenseId !== null) return endRenewals(ctx, product, licenseId)
  if (subscriptionId === null) return
  const [subscription] = await findSubscription(ctx.db, product, { id: subscriptionId })
  if (subscription) await endSubscription(ctx, product, subscription)
}
