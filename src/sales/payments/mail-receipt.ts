import type { Bought } from '../invoices/invoice-rows.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { queueAddressed, type OutgoingMail } from '../../mail/outbox.ts'
import { findAbout, type About } from '../../mail/mail-rows.ts'
import type { ReceiptValues } from '../../mail/templates.ts'
import { findBought, findInvoices } from '../invoices/invoice-rows.ts'
import { numberText } from '../invoices/schema.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { lastInvoicedPayment } from './last-receipt-queries.ts'
import type { PaymentRow } from './schema.ts'
import { methodOf } from '../invoices/text.ts'
import { addressed, type Recipient } from '../../people/users/recipient.ts'

/** What the checkout of a payment says of its mail: what the buyer reads, and agreed to. */
interface Told {
  readonly language: string | null
  readonly waiver: string | null
}

/**
 * Mails the buyer what a payment was made of, the number of its invoice, and what was agreed to; nothing where nothing
 * was paid.
 */
export async function mailReceipt(
  ctx: TxContext,
  scope: Scope,
  payment: PaymentRow,
  { language, waiver }: Told = { language: null, waiver: null },
): Promise<void> {
  const to = await addressed(ctx, scope, payment.user_id)
  await mailReceiptTo(ctx, payment, { to: { ...to, language }, waiver })
}

interface Known extends Pick<Receipt, 'about' | 'bought'> {
  readonly to: Recipient
  readonly waiver: string | null
}

/** `mailReceipt` with what is read already. */
export async function mailReceiptTo(
  ctx: TxContext,
  payment: PaymentRow,
  { to, waiver, ...known }: Known,
): Promise<void> {
  if (payment.gross + payment.tax === 0) return
  const mailWith = (values: ReceiptValues) => ({
    ...to,
    template: 'receipt' as const,
    values: { ...values, waiver: waiver ?? '' },
  })
  await leaveReceipt(ctx, { payment, mailWith, ...known })
}

/** Mails the owner of a license the receipt of what was paid for it last; nothing where nothing was. */
export async function mailLastReceipt(ctx: TxContext, scope: Scope, license: LicenseRow): Promise<void> {
  const payment = await lastInvoicedPayment(ctx.db, license)
  if (payment) await mailReceipt(ctx, scope, payment)
}

interface Receipt {
  readonly payment: PaymentRow
  /** The mail, which is about the payment's product and buyer. */
  mailWith(values: ReceiptValues): OutgoingMail
  /** What of the mail and of the payment is read already. */
  readonly about?: About | undefined
  readonly bought?: Bought | null | undefined
}

/**
 * Leaves a receipt with a mail that says more; its invoice has a number at the end of the transaction. A payment has
 * one receipt: of several that a transaction leaves, the first is mailed.
 */
export async function leaveReceipt(ctx: TxContext, { payment, mailWith, ...known }: Receipt): Promise<void> {
  const { product_id: productId, user_id: userId } = payment
  const about = known.about ?? (await findAbout(ctx.db, { productId, userId }))
  const values = valuesOf(payment, known.bought ?? (await findBought(ctx.db, payment.id)))
  const place = { licenseId: payment.license_id, environment: payment.environment }
  ctx.atEnd(mailReceipts, { paymentId: payment.id, place, about, mailWith, values })
}

interface Left extends Pick<Receipt, 'mailWith'> {
  readonly paymentId: number
  readonly place: { readonly licenseId: number | null; readonly environment: 0 | 1 }
  readonly about: About | undefined
  readonly values: Omit<ReceiptValues, 'invoice'>
}

async function mailReceipts(tx: TxContext, left: readonly Left[]): Promise<void> {
  const first = new Map(left.toReversed().map((one) => [one.paymentId, one]))
  const items = left.filter((one) => first.get(one.paymentId) === one)
  const ids = items.map(({ paymentId }) => paymentId)
  const invoices = new Map((await findInvoices(tx.db, ids)).map((one) => [one.payment_id, numberText(one)]))
  await queueAddressed(
    tx,
    items.map(({ paymentId, place, about, mailWith, values }) => {
      const invoice = invoices.get(paymentId)
      const mail = { ...mailWith({ ...values, invoice: invoice ?? '' }), ...place }
      return { about, mail: invoice === undefined ? mail : { ...mail, invoiceOf: paymentId } }
    }),
  )
}

/** What a payment was made of. */
function valuesOf(payment: PaymentRow, bought: Bought): Omit<ReceiptValues, 'invoice'> {
  const { gross, tax, currency } = payment
  return {
    plan: bought.plan_title,
    amount: { minor: gross + tax, currency },
    date: { time: payment.processed_at },
    licenses: bought.licenses === null ? '' : String(bought.licenses),
    net: tax > 0 ? { minor: gross, currency } : '',
    tax: tax > 0 ? { minor: tax, currency } : '',
    method: gross + tax > 0 ? (methodOf(bought, payment) ?? '') : '',
  }
}
