import type { TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { toUtcTime } from '../lib/time.ts'
import { insertInvoice, takeNumber } from '../resources/invoices/queries.ts'
import { DOCUMENTS } from '../resources/invoices/schema.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'

/**
 * Gives a payment the next number of its seller's invoices, what takes one back the next of the credit notes; in
 * the transaction that records it, so that a number is there exactly when its payment is. The sandbox has
 * series of its own. What was paid elsewhere has its invoice there.
 */
export async function numberPayment(ctx: TxContext, scope: Scope, payment: PaymentRow): Promise<void> {
  const { environment, type, id, product_id, processed_at } = payment
  const kind = isTakenBack(payment) ? 'invoice' : DOCUMENTS[type]
  if (kind === null || isPaidElsewhere(payment)) return
  const series = { developer_id: scope.developerId, environment, kind }
  await insertInvoice(ctx.db, {
    ...series,
    number: await takeNumber(ctx.db, series),
    product_id,
    payment_id: id,
    issued_at: processed_at,
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
}

/** A refund that failed is sold again. */
export const isTakenBack = ({ type, gross, tax }: Pick<PaymentRow, 'type' | 'gross' | 'tax'>): boolean =>
  type === 'refund' && gross + tax > 0

const isPaidElsewhere = ({ gateway, gross, tax }: PaymentRow) => gateway === null && gross + tax !== 0
