import type { Selectable } from 'kysely'
import type { InvoiceKind, InvoicesTable } from '../../db/tables/invoices.ts'
import type { PaymentType } from '../../db/tables/payments.ts'
import { isSandbox } from '../../lib/environment.ts'

export type InvoiceRow = Selectable<InvoicesTable>

const PREFIXES: Readonly<Record<InvoiceKind, string>> = { invoice: 'INV', credit_note: 'CN' }

/** As it is printed: `INV-000001`, of the sandbox `TEST-INV-000001`. */
export const numberText = ({
  kind,
  number,
  environment,
}: Pick<InvoiceRow, 'kind' | 'number' | 'environment'>): string =>
  `${isSandbox(environment) ? 'TEST-' : ''}${PREFIXES[kind]}-${String(number).padStart(6, '0')}`

/** Which document money that moved gets: what takes a sale back for good gets a credit note; null: none. */
export const DOCUMENTS: Readonly<Record<PaymentType, InvoiceKind | null>> = {
  payment: 'invoice',
  refund: 'credit_note',
  chargeback: 'credit_note',
  lost_dispute: 'credit_note',
  disputed: null,
  won_dispute: null,
}
