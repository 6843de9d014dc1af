import type { ListedSubscription } from '../../../../src/sales/subscriptions/schema.ts'
import { cycleText } from '../../format.tsx'
import { checkoutOf } from '../../curl.ts'
import { ToCheckout } from '../../lists/starts.tsx'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { NextPayment, PerCycle, SubscriptionState } from './columns.tsx'

const FILTERS = [
  ['active', texts.active],
  ['cancelled', texts.cancelled],
] as const

const COLUMNS: readonly Column<ListedSubscription>[] = [
  { label: texts.customer, show: ({ email }) => email ?? texts.nobody },
  { label: texts.state, show: SubscriptionState },
  { label: texts.cycle, show: ({ billing_cycle: cycle }) => cycleText(cycle) },
  { label: texts.nextPayment, show: NextPayment },
  { label: texts.perCycle, show: PerCycle, isNumber: true },
]

/** What brings a row. */
const NEWS = ['subscription.created']

export function Subscriptions() {
  const { path, product, environment, wayTo } = usePlace()
  return (
    <List<ListedSubscription>
      title={texts.subscriptions}
      about={texts.subscriptionsAbout}
      path={`${path}/subscriptions.json`}
      items="subscriptions"
      query={{ extended: true, environment }}
      search={texts.searchSubscriptions}
      filters={FILTERS}
      hasSpan
      sorts={[texts.newestFirst, ['id', texts.oldestFirst], ['next_payment', texts.nextFirst]]}
      columns={COLUMNS}
      wayTo={({ id }) => wayTo('subscription', id)}
      news={NEWS}
      making={checkoutOf(product)}
      create={<ToCheckout />}
      empty={[texts.noSubscriptions, texts.noSubscriptionsMore]}
    />
  )
}
