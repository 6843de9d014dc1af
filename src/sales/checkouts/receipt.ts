import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import type { Invoice } from '../invoices/drawing/invoice.ts'
import { invoiceOfPayment } from '../invoices/of-payment.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { buyerOf, NO_ADDRESS } from '../invoices/text.ts'
import { isProvenBuyer } from './buyer.ts'
import { companyOnInvoice } from './company.ts'
import { scopeOfCheckout } from './checkout.ts'
import { checkoutOfLink, paidLink } from './paid-links.ts'
import type { CheckoutRow } from './schema.ts'

/** Where the invoice of what was just paid is read, for a day; null: nothing was paid, or its buyer is not told. */
export const receiptAddress = (
  ctx: ReadContext,
  row: CheckoutRow,
  payment: Pick<PaymentRow, 'gross' | 'tax'> | null,
): string | null =>
  row.is_hidden || payment === null || payment.gross + payment.tax <= 0 ? null : paidLink(ctx, 'receipt', row)

/**
 * The invoice of what a checkout paid. Who has only typed an address reads it with the name that was typed, and nothing
 * that is known of the owner of the address (`docs/decisions.md` 3.14). 404 for a token that is wrong or over.
 */
export async function receiptOf(ctx: ReadContext, from: Scope, token: string): Promise<Invoice> {
  const row = await checkoutOfLink(ctx, 'receipt', token)
  if (row.payment_id === null || row.is_hidden) throw notFound('link')
  const invoice = await invoiceOfPayment(ctx, scopeOfCheckout(from, row), { paymentId: row.payment_id })
  return isProvenBuyer(row) ? invoice : { ...invoice, buyer: asTyped(row) }
}

/** The company that was typed with its address, or else the name of the person alone. */
function asTyped(row: CheckoutRow): Invoice['buyer'] {
  const { first, last, email, region, zip_postal_code: zip } = row
  const company = companyOnInvoice(row, false)
  if (!company) return { name: `${first} ${last}`.trim() || email, lines: [], vatId: '' }
  const { isProven: _is, ...told } = company
  const person = { ...NO_ADDRESS, user_first: first, user_last: last, user_email: email }
  const place = { address_zip: zip ?? '', address_state: region ?? '' }
  return buyerOf({ ...person, ...told, ...place }, row)
}
