import type { TxContext } from '../../context.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { tooManyRequests } from '../../lib/errors.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { addressed } from '../../people/users/recipient.ts'
import { invoicedPayment } from './of-payment.ts'
import { numberText } from './schema.ts'

interface Wanted {
  readonly paymentId: number
  readonly userId: number
}

/**
 * Mails the buyer the invoice of a payment, or the credit note of what takes one back, as it was issued. 404 when there
 * is none; 429 where the address was mailed as often as it may be in an hour, unless the seller asks.
 */
export async function mailInvoice(ctx: TxContext, scope: Scope, wanted: Wanted): Promise<void> {
  const { payment, invoice } = await invoicedPayment(ctx, scope, wanted)
  const to = await addressed(ctx, scope, payment.user_id)
  const { recipient } = to
  if (!isSeller(scope) && !(await mayMail(ctx, { recipient, ip: scope.ip ?? null })))
    throw tooManyRequests(HOUR / SECOND)
  await queueMail(ctx, {
    ...to,
    licenseId: payment.license_id,
    environment: payment.environment,
    template: 'invoice',
    values: { number: numberText(invoice), isCreditNote: invoice.kind === 'credit_note' },
    invoiceOf: payment.id,
  })
}
