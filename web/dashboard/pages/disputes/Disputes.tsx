import type { Dispute } from '../../../../src/sales/disputes/schema.ts'
import { Amount, State, Time, type Tone } from '../../format.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import { useOver } from '../../lists/over.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

const STATES: Readonly<Record<Dispute['state'], readonly [word: string, tone: Tone]>> = {
  open: [texts.disputeOpen, 'warning'],
  won: [texts.disputeWon, 'good'],
  lost: [texts.disputeLost, 'bad'],
}

function DisputeState({ state }: Pick<Dispute, 'state'>) {
  const [word, tone] = STATES[state]
  return <State word={word} tone={tone} />
}

const FILTERS = Object.entries(STATES).map(([value, [word]]) => [value, word] as const)

const WHO: readonly Column<Dispute>[] = [
  { label: texts.customer, show: ({ email }) => email },
  { label: texts.state, show: DisputeState },
]

const WHAT: readonly Column<Dispute>[] = [
  { label: texts.disputeOpened, show: ({ created }) => <Time time={created} /> },
  { label: texts.disputeDecided, show: ({ closed }) => <Time time={closed} /> },
  {
    label: texts.disputedAmount,
    show: ({ amount, missing, currency }) => <Amount amount={amount + missing} currency={currency} />,
    isNumber: true,
  },
]

/** The disputes of a product, or of all products of the account: each opens the payment that it is about. */
export function Disputes() {
  const { environment, wayTo } = usePlace()
  const over = useOver<Dispute>('disputes')
  return (
    <List<Dispute>
      title={texts.disputes}
      about={texts.disputesAbout}
      actions={over.actions}
      path={`${over.path}/disputes.json`}
      items="disputes"
      query={{ environment }}
      filters={FILTERS}
      hasSpan
      sorts={BY_AGE}
      columns={[...WHO, ...over.columns, ...WHAT]}
      wayTo={({ payment_id: payment, plugin_id: product }) => wayTo('payment', payment, product)}
      making={null}
      empty={[texts.noDisputes, texts.noDisputesMore]}
    />
  )
}
