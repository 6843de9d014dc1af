import { fileOf, PDF } from './file.ts'
import { mailInvoice } from './mail-invoice.ts'
import { invoiceOfPayment } from './of-payment.ts'
import { Download } from '../../http/answer.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import type { AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields, Id } from '../../http/wire.ts'
import type { Invoice } from './drawing/invoice.ts'

/** As the contract has it; of bytes there is nothing to pick. */
const Ignored = Arguments(Fields)
const ids = { payment_id: Id('ID of the payment.') }
const seller = ['product', 'developer', 'store'] as const

/** Invoices of payments and credit notes of refunds, as PDF. */
export const invoiceOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'payments/download-invoice',
    summary: 'Download the invoice of a payment, or the credit note of a refund',
    method: 'GET',
    path: '/payments/{payment_id}/invoice.pdf',
    scopes: seller,
    access: 'sales.read',
    params: Arguments(ids),
    query: Ignored,
    status: 200,
    produces: PDF,
    handle: async (ctx, { scope, params }) =>
      pdfOf(await invoiceOfPayment(ctx, scope, { paymentId: params.payment_id })),
  }),
  readOperation({
    id: 'users/download-invoice',
    summary: "Download the invoice of a user's payment",
    method: 'GET',
    path: '/users/{user_id}/payments/{payment_id}/invoice.pdf',
    scopes: [...seller, 'user'],
    access: 'sales.read',
    portal: ['invoices'],
    params: Arguments({ user_id: Id('ID of the user.'), ...ids }),
    query: Ignored,
    status: 200,
    produces: PDF,
    handle: async (ctx, { scope, params }) => {
      const wanted = { paymentId: params.payment_id, userId: params.user_id }
      return pdfOf(await invoiceOfPayment(ctx, scope, wanted))
    },
  }),
  writeOperation({
    id: 'keywright/mail-invoice',
    summary: 'Mail a user the invoice of a payment, or the credit note of a refund, as it was issued',
    method: 'POST',
    path: '/users/{user_id}/payments/{payment_id}/invoice/mail.json',
    scopes: [...seller, 'user'],
    access: 'customers.write',
    portal: ['invoices'],
    params: Arguments({ user_id: Id('ID of the user.'), ...ids }),
    status: 202,
    emits: [],
    handle: (ctx, { scope, params }) =>
      mailInvoice(ctx, scope, { paymentId: params.payment_id, userId: params.user_id }),
  }),
]

/** An invoice as an answer, to be kept as a file. */
export async function pdfOf(invoice: Invoice): Promise<Download> {
  const { name, type, content } = await fileOf(invoice)
  return new Download(content, { type, name })
}
