import type { ReadContext, TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { moneyText } from '../lib/money.ts'
import { queueMail } from '../mail/outbox.ts'
import type { ReceiptValues } from '../mail/templates.ts'
import { findBought, findInvoice } from '../resources/invoices/queries.ts'
import { numberText } from '../resources/invoices/schema.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { methodOf } from './invoice-of-payment.ts'
import { addressed } from './mail-licenses.ts'

/** Mails the buyer what a payment was made of, and the number of its invoice, which it has at the end of the transaction. */
export function mailReceipt(ctx: TxContext, scope: Scope, payment: PaymentRow): void {
  ctx.atEnd(async () => {
    const to = await addressed(ctx, scope, payment.user_id)
    await queueMail(ctx, { ...to, template: 'receipt', values: await receiptOf(ctx, scope, payment) })
  })
}

/** What a payment was made of, as people read it; its invoice has a number at the end of the transaction. */
export async function receiptOf(
  { db }: ReadContext,
  scope: Scope,
  payment: PaymentRow,
): Promise<ReceiptValues> {
  const { gross, tax, currency } = payment
  const bought = await findBought(db, payment.id)
  const invoice = await findInvoice(db, { ...scope, userId: null, installId: null }, payment.id)
  return {
    plan: bought.plan_title,
    amount: moneyText(gross + tax, currency),
    invoice: invoice ? numberText(invoice) : '',
    date: payment.processed_at,
    licenses: bought.licenses === null ? '' : String(bought.licenses),
    net: tax > 0 ? moneyText(gross, currency) : '',
    tax: tax > 0 ? moneyText(tax, currency) : '',
    method: gross + tax > 0 ? (methodOf(bought, payment) ?? '') : '',
  }
}
