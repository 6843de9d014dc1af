import type { ReadContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { findPayment } from './payment-rows.ts'
import type { PaymentList, PaymentRow } from './schema.ts'

/** The payment's row; 404 when the owner has no such payment. */
export async function getPayment(ctx: ReadContext, scope: Scope, id: number): Promise<PaymentRow> {
  const [payment] = await findPayment(ctx.db, scope, { id })
  if (!payment) throw notFound('payment')
  return payment
}

/** The times of a list must be times. */
export async function checkPaymentList({ from, to }: PaymentList, problems: Problems): Promise<void> {
  for (const [field, text] of Object.entries({ from, to })) {
    if (text === undefined || parseTimeText(text, 'last second') !== null) continue
    problems.malformed.push({ field, message: 'must be YYYY-MM-DD HH:MM:SS in UTC' })
  }
}
