import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Invoice } from './drawing/invoice.ts'
import { ApiError } from '../../lib/errors.ts'
import type { MailFile } from '../../mail/message.ts'
import { invoiceOfPayment } from './of-payment.ts'

export const PDF = 'application/pdf'

/** An invoice as a file. The library that draws is loaded with the first one. */
export async function fileOf(invoice: Invoice): Promise<MailFile> {
  const { drawInvoice } = await import('./drawing/draw.ts')
  return { name: `${invoice.number}.pdf`, type: PDF, content: await drawInvoice(invoice) }
}

/** The invoice of a payment for a mail about it; null when the payment or its invoice is there no more. */
export async function invoiceFile(
  ctx: ReadContext,
  scope: Scope,
  paymentId: number,
): Promise<MailFile | null> {
  try {
    return await fileOf(await invoiceOfPayment(ctx, scope, { paymentId }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
