import type { ExtendedPayment } from '../../../../src/sales/payments/schema.ts'
import { cycleText } from '../../format.tsx'
import { checkoutOf } from '../../curl.ts'
import { ToCheckout } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { PAYMENT } from './columns.tsx'

const FILTERS = [
  ['not_refunded', texts.notRefunded],
  ['refunds', texts.refunds],
  ['disputed', texts.disputed],
  ['won_disputes', texts.wonDisputes],
  ['chargebacks', texts.chargebacks],
] as const

const COLUMNS: readonly Column<ExtendedPayment>[] = [
  { label: texts.customer, show: ({ email }) => email ?? texts.nobody },
  PAYMENT.state,
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  PAYMENT.created,
  PAYMENT.amount,
]

/** What brings a row. */
const NEWS = ['payment.created', 'payment.refund']

export function Payments() {
  const { path, product, environment, wayTo } = usePlace()
  return (
    <List<ExtendedPayment>
      title={texts.payments}
      about={texts.paymentsAbout}
      path={`${path}/payments.json`}
      items="payments"
      query={{ extended: true, environment }}
      search={texts.searchPayments}
      filters={FILTERS}
      hasSpan
      sorts={BY_AGE}
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('payment', id)}
      news={NEWS}
      making={checkoutOf(product)}
      create={<ToCheckout />}
      empty={[texts.noPayments, texts.noPaymentsMore]}
    />
  )
}
