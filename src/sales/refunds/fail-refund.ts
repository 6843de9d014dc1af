import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { failedIdOf } from './refunds.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { returnToPayment } from '../payments/payment-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { raiseDispute } from './disputes.ts'
import { oweFailed } from './owed-refunds.ts'
import { recordUnlessKnown, undoing } from '../payments/record-payment.ts'

/**
 * Takes back a refund that its gateway could not make after all, once: what was booked is booked back, and can be
 * given back again, as what its buyer was owed is by a job; what the buyer's bank has taken meanwhile goes first. License
 * and subscription stay as the refund left them, as the seller still owes the money. The payment is held by the caller. `payment.refund` tells it, with `is_failed`.
 */
export async function failRefund(
  ctx: TxContext,
  scope: Scope,
  { payment, refund }: { readonly payment: PaymentRow; readonly refund: PaymentRow },
): Promise<void> {
  const row = await recordUnlessKnown(ctx, scope, {
    ...undoing(payment, 'refund', toUtcTime(ctx.clock.of(payment.product_id, payment.environment))),
    tax_rule: refund.tax_rule,
    gross: 0 - refund.gross,
    tax: 0 - refund.tax,
    gateway_fee: 0,
    external_id: failedIdOf(refund.external_id ?? ''),
    refund_reason: 'The refund failed.',
  })
  if (!row) return
  await returnToPayment(ctx.db, scope, {
    id: payment.id,
    gross: row.gross,
    tax: row.tax,
    updated: ctx.clock.now(),
  })
  await recordEvent(ctx, scope, {
    type: 'payment.refund',
    environment: payment.environment,
    userId: payment.user_id,
    licenseId: payment.license_id,
    ...(payment.install_id !== null && { installId: payment.install_id }),
    data: { payment_id: String(row.id), bound_payment_id: String(payment.id), is_failed: true },
  })
  await raiseDispute(ctx, scope, payment.id)
  await oweFailed(ctx, scope, { paymentId: payment.id, refundId: refund.id })
}
