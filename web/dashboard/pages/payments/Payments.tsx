import type { ExtendedPayment } from '../../../../src/sales/payments/schema.ts'
import { Amount, cycleText, Time } from '../../format.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { totalOf } from './amounts.ts'
import { PaymentState } from './columns.tsx'

const FILTERS = [
  ['not_refunded', texts.notRefunded],
  ['refunds', texts.refunds],
  ['disputed', texts.disputed],
  ['won_disputes', texts.wonDisputes],
  ['chargebacks', texts.chargebacks],
] as const

const COLUMNS: readonly Column<ExtendedPayment>[] = [
  { label: texts.customer, show: ({ email }) => email ?? texts.nobody },
  { label: texts.state, show: PaymentState },
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  { label: texts.created, show: ({ created }) => <Time time={created} /> },
  {
    label: texts.amount,
    show: (one) => <Amount amount={totalOf(one)} currency={one.currency} />,
    isNumber: true,
  },
]

export function Payments() {
  const { account, path, product, environment } = usePlace()
  return (
    <List<ExtendedPayment>
      title={texts.payments}
      about={texts.paymentsAbout}
      path={`${path}/payments.json`}
      items="payments"
      query={{ extended: true, environment }}
      search={texts.searchPayments}
      filters={FILTERS}
      columns={COLUMNS}
      wayTo={({ id }) => ({
        to: '/$account/$product/payments/$payment',
        params: { account: account.developer_id, product, payment: id },
      })}
      empty={[texts.noPayments, texts.noPaymentsMore]}
    />
  )
}
