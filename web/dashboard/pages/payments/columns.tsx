import type { Payment } from '../../../../src/sales/payments/schema.ts'
import { Amount, State, Time, type Tone } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { totalOf } from './amounts.ts'

type Kind = readonly [word: string, tone: Tone]

const KINDS: Readonly<Record<string, Kind>> = {
  payment: [texts.payment, 'good'],
  refund: [texts.refund, 'plain'],
  chargeback: [texts.chargeback, 'bad'],
  disputed: [texts.disputed, 'warning'],
  won_dispute: [texts.disputeWon, 'good'],
  lost_dispute: [texts.disputeLost, 'bad'],
}

/** What moved money is called. */
export const kindText = (type: string): string => KINDS[type]?.[0] ?? type

/** What a payment is; one that an open dispute holds is told so. */
export function PaymentState({ type, is_renewal }: Pick<Payment, 'type' | 'is_renewal'>) {
  const [word, tone] = KINDS[type] ?? [type, 'plain']
  return <State word={type === 'payment' && is_renewal ? texts.renewal : word} tone={tone} />
}

/** What lists of payments are made of. */
export const PAYMENT = {
  state: { label: texts.state, show: PaymentState },
  created: { label: texts.created, show: ({ created }) => <Time time={created} /> },
  amount: {
    label: texts.amount,
    show: (one) => <Amount amount={totalOf(one)} currency={one.currency} />,
    isNumber: true,
  },
} as const satisfies Readonly<Record<string, Column<Payment>>>

/** Of a list in which the buyer is known. */
export const PAYMENT_COLUMNS = [PAYMENT.created, PAYMENT.state, PAYMENT.amount]
