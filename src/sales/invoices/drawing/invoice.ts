import type { Currency } from '../../../lib/money.ts'
import type { UtcTime } from '../../../lib/time.ts'

/** Seller or buyer as the invoice names them; a name in any script. */
export interface Party {
  readonly name: string
  /** Address and whatever else stands below the name, a line each. */
  readonly lines: readonly string[]
  /** Empty: none. */
  readonly vatId: string
}

export interface InvoiceLine {
  readonly description: string
  /** Minor units without tax; of a credit note what is given back, also positive. */
  readonly amount: number
}

/** Everything an invoice or a credit note says. Money is minor units of the currency. */
export interface Invoice extends InvoiceText {
  readonly kind: 'invoice' | 'credit_note'
  /** As it is printed: `INV-000001`. */
  readonly number: string
  readonly issuedAt: UtcTime
  /** Of a credit note: the number of the invoice it takes back from; null when that had none. */
  readonly correctedNumber: string | null
  /** Whether no money moved: it was paid in the sandbox. */
  readonly isTest: boolean
}

/** What it says beside its number and date. */
export interface InvoiceText {
  readonly seller: Party
  readonly buyer: Party
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly tax: number
  /** What the tax is called there: `VAT`. */
  readonly taxName: string
  /** Millionths. */
  readonly taxRate: number
  readonly isReverseCharged: boolean
  /** How it was paid: `Visa •••• 4242`; null: nothing was to be paid. */
  readonly method: string | null
}

/** What the lines come to, without tax. */
export const grossOf = ({ lines }: Pick<Invoice, 'lines'>): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)
