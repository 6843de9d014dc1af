import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { Amount, cycleText, State, Time } from '../../format.tsx'
import type { Column } from '../../lists/Rows.tsx'
import { texts } from '../../texts/texts.ts'

type Known = Pick<Subscription, 'canceled_at' | 'failed_payments' | 'trial_ends'>

/** In one word whether a subscription goes on. */
export function SubscriptionState({ canceled_at, failed_payments, trial_ends }: Known) {
  if (canceled_at !== null) return <State word={texts.cancelled} tone="plain" />
  if (failed_payments > 0) return <State word={texts.pastDue} tone="bad" />
  if (trial_ends !== null && Date.parse(`${trial_ends.replace(' ', 'T')}Z`) > Date.now())
    return <State word={texts.trial} tone="plain" />
  return <State word={texts.active} tone="good" />
}

export const PerCycle = ({ renewal_amount, currency }: Pick<Subscription, 'renewal_amount' | 'currency'>) => (
  <Amount amount={renewal_amount} currency={currency} />
)

export const SUBSCRIPTION_COLUMNS: readonly Column<Subscription>[] = [
  { label: texts.subscription, show: ({ id }) => `#${id}` },
  { label: texts.state, show: SubscriptionState },
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  {
    label: texts.nextPayment,
    show: (one) => <Time time={one.canceled_at === null ? one.next_payment : null} />,
  },
  { label: texts.perCycle, show: PerCycle, isNumber: true },
]
