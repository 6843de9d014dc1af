import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Invoice } from './drawing/invoice.ts'
import { isSandbox } from '../../lib/environment.ts'
import { notFound } from '../../lib/errors.ts'
import { findInvoice } from './queries.ts'
import { findBought } from './invoice-rows.ts'
import { numberText, type InvoiceRow } from './schema.ts'
import { discountsOf, findPayment } from '../payments/payment-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { keptText, type KeptText } from './text.ts'

interface Wanted {
  readonly paymentId: number
  /** Whose it must be; absent: anybody's whom the scope lets see. */
  readonly userId?: number
}

/**
 * The invoice of a payment, or the credit note of what takes one back, as it was issued: it never changes. Who is not
 * proven to be the buyer reads it with the buyer's name alone. 404 when there is no such payment, or it has no invoice
 * here (`number-payment.ts`).
 */
export async function invoiceOfPayment(ctx: ReadContext, scope: Scope, wanted: Wanted): Promise<Invoice> {
  const { payment, invoice } = await invoicedPayment(ctx, scope, wanted)
  const { bound_payment_id: boundId } = payment
  const corrected = boundId === null ? undefined : await findInvoice(ctx.db, scope, boundId)
  const { named, ...text } = await textOf(ctx, invoice, payment)
  return {
    ...text,
    ...(scope.reach && withoutPerson(text, named)),
    ...documentOf(invoice),
    correctedNumber: corrected ? numberText(corrected) : null,
  }
}

/** 404 when there is no such payment, or it has no invoice here. */
export async function invoicedPayment(
  { db }: Pick<ReadContext, 'db'>,
  scope: Scope,
  { paymentId, userId }: Wanted,
): Promise<{ readonly payment: PaymentRow; readonly invoice: InvoiceRow }> {
  const [payment] = await findPayment(db, scope, { id: paymentId })
  if (!payment || (userId ?? payment.user_id) !== payment.user_id) throw notFound('payment')
  const invoice = await findInvoice(db, scope, payment.id)
  if (!invoice) throw notFound('invoice')
  return { payment, invoice }
}

/** What was bought and taken off for a payment, as its invoice says it or would, and the number of that; null: none. */
export async function soldBy(ctx: ReadContext, scope: Scope, payment: PaymentRow) {
  const invoice = await findInvoice(ctx.db, scope, payment.id)
  const text = invoice ? await textOf(ctx, invoice, payment) : await presentText(ctx, payment)
  return { text, number: invoice ? numberText(invoice) : null }
}

/** Neither where the buyer is nor what it paid with but of which kind. */
const withoutPerson = ({ method }: Pick<KeptText, 'method'>, { name }: KeptText['named']) => ({
  buyer: { name, lines: [], vatId: '' },
  method: method === null ? null : (method.split(' ••••')[0] ?? null),
})

/** As it was kept; those that were issued before anything was are kept soon (`keep-invoices.ts`). */
async function textOf(ctx: ReadContext, { content }: InvoiceRow, payment: PaymentRow): Promise<KeptText> {
  return content === null ? presentText(ctx, payment) : (JSON.parse(content) as KeptText)
}

/** What an invoice says if it is issued as things are now. */
export async function presentText({ db }: Pick<ReadContext, 'db'>, payment: PaymentRow): Promise<KeptText> {
  const discounts = await discountsOf(db, 'payment', [payment.id])
  return keptText(payment, { bought: await findBought(db, payment.id), discounts })
}

const documentOf = (invoice: InvoiceRow) => ({
  kind: invoice.kind,
  number: numberText(invoice),
  issuedAt: invoice.issued_at,
  isTest: isSandbox(invoice.environment),
})
