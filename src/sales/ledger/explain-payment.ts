import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { toDecimal } from '../../lib/money.ts'
import { soldBy } from '../invoices/of-payment.ts'
import { boundTo } from '../payments/payment-rows.ts'
import { getPayment } from '../payments/service.ts'
import { leftOfPayment, totalOf } from '../refunds/refunds.ts'
import { postingsOfPayments } from './queries.ts'
import type { PaymentMoney } from './schema.ts'

/** Millionths → per cent. */
const percentOf = (rate: number): number => rate / 10_000

/**
 * What the money of a payment is made of: its lines and tax, what takes it back and what is left then, and the postings of
 * all that, which come to 0. 404 when the owner has no such payment.
 */
export async function explainPayment(ctx: ReadContext, scope: Scope, id: number): Promise<PaymentMoney> {
  const payment = await getPayment(ctx, scope, id)
  const bound = await boundTo(ctx.db, scope, id)
  const rows = [payment, ...bound]
  const { text, number } = await soldBy(ctx, scope, payment)
  const types = new Map(rows.map((row) => [row.id, row.type]))
  const postings = await postingsOfPayments(ctx.db, scope, [...types.keys()])
  return {
    payment_id: String(id),
    currency: payment.currency,
    lines: text.lines.map(({ description, amount }) => ({ description, amount: toDecimal(amount) })),
    tax: toDecimal(text.tax),
    tax_name: text.taxName,
    tax_rate: percentOf(text.taxRate),
    is_reverse_charged: text.isReverseCharged,
    method: text.method,
    invoice_number: number,
    left: payment.type === 'payment' ? toDecimal(totalOf(leftOfPayment(payment))) : 0,
    bound: bound.map((row) => ({
      payment_id: String(row.id),
      type: row.type,
      amount: toDecimal(totalOf(row)),
    })),
    postings: postings.map((row) => ({
      id: String(row.id),
      payment_id: String(row.payment_id),
      type: types.get(row.payment_id) ?? payment.type,
      account: row.account,
      amount: toDecimal(row.amount),
      currency: row.currency,
      created: row.created,
    })),
  }
}
