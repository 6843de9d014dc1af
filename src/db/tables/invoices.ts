import type { UtcTime } from '../../lib/time.ts'
import type { Entity } from './columns.ts'
import type { Environment } from './licenses.ts'

/** What a seller says of taxes, and how invoices name it; one an account. */
export interface TaxSettingsTable {
  developer_id: number
  /** Upper case; null: not said. */
  country: string | null
  /** Comma-separated: countries, regions such as `US-CA`, `EU`. */
  registrations: string
  is_format_enough: boolean
  legal_name: string
  /** Lines. */
  address: string
  vat_id: string
  created: UtcTime
  updated: UtcTime | null
}

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** The last number of each series of a seller. */
export interface InvoiceNumbersTable {
  developer_id: number
  environment: Environment
  kind: InvoiceKind
  last: number
}

/** The number of a payment's invoice, or of the credit note of what undoes one. */
export interface InvoicesTable extends Entity {
  developer_id: number
  product_id: number
  payment_id: number
  environment: Environment
  kind: InvoiceKind
  number: number
  /** On the clock of its environment. */
  issued_at: UtcTime
  /** JSON of `KeptText`, written when it is issued and never again; null of those that wait for `keep-invoices`. */
  content: string | null
}
