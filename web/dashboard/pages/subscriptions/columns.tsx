import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { momentOf } from '../../../ui/time.ts'
import { Amount, cycleText, State, Time } from '../../format.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { texts } from '../../texts/texts.ts'
import { useNow } from '../sandbox/clock.tsx'

type Known = Pick<Subscription, 'canceled_at' | 'failed_payments' | 'trial_ends'>

/** In one word whether a subscription goes on, by the clock that it lives on. */
export function SubscriptionState({ canceled_at, failed_payments, trial_ends }: Known) {
  const now = useNow()
  if (canceled_at !== null) return <State word={texts.cancelled} tone="plain" />
  if (failed_payments > 0) return <State word={texts.pastDue} tone="bad" />
  if (now === undefined) return null
  if (trial_ends !== null && momentOf(trial_ends) > momentOf(now))
    return <State word={texts.trial} tone="plain" />
  return <State word={texts.active} tone="good" />
}

/** When what is charged next; nothing more once it was cancelled. */
export const NextPayment = ({
  canceled_at,
  next_payment,
}: Pick<Subscription, 'canceled_at' | 'next_payment'>) => (
  <Time time={canceled_at === null ? next_payment : null} />
)

export const PerCycle = ({ renewal_amount, currency }: Pick<Subscription, 'renewal_amount' | 'currency'>) => (
  <Amount amount={renewal_amount} currency={currency} />
)

export const SUBSCRIPTION_COLUMNS: readonly Column<Subscription>[] = [
  { label: texts.subscription, show: ({ id }) => `#${id}` },
  { label: texts.state, show: SubscriptionState },
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  { label: texts.nextPayment, show: NextPayment },
  { label: texts.perCycle, show: PerCycle, isNumber: true },
]
