import {
  choice,
  dates,
  environment,
  id,
  inProduct,
  integer,
  json,
  kind,
  NULL,
  time,
  to,
  type Kind,
} from './column.ts'

const KINDS_OF_INVOICE = ['invoice', 'credit_note']

const invoice = kind({
  table: 'invoices',
  says: 'numbers of invoices and credit notes, with what each says',
  ownedBy: [{ column: 'developer_id', of: null }],
  made: ['developer_id'],
  columns: {
    id: id(),
    product_id: to('products'),
    payment_id: inProduct('payments'),
    environment: environment(),
    kind: choice(KINDS_OF_INVOICE),
    number: integer({ min: 1 }),
    issued_at: time(),
    content: json({ null: true }),
    ...dates,
  },
  unique: [{ columns: ['environment', 'kind', 'number'], inAccount: true }, { columns: ['payment_id'] }],
})

const series = kind({
  table: 'invoice_numbers',
  says: 'the last number of each series of invoices',
  key: ['environment', 'kind'],
  ownedBy: [{ column: 'developer_id', of: null }],
  made: ['developer_id'],
  columns: { environment: environment(), kind: choice(KINDS_OF_INVOICE), last: integer() },
})

const provisional = kind({
  table: 'provisional_taxes',
  says: 'taxes that are given back once a VAT id was found',
  made: ['lease_until', 'fence'],
  columns: {
    id: id(),
    payment_id: inProduct('payments'),
    product_id: to('products'),
    state: choice(['waiting', 'owed', 'credited', 'kept']),
    attempts: integer({ default: 0, max: 10_000 }),
    due_at: integer({ ...NULL, max: 10 ** 14, unit: 'milliseconds' }),
    ...dates,
  },
  unique: [{ columns: ['payment_id'] }],
})

/** What was written for payments: the last numbers come first, so that they are taken out last. */
export const INVOICING: readonly Kind[] = [series, invoice, provisional]
