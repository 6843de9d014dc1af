import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Nullable } from '../../http/wire.ts'

/** Until when a license counts as one that ends soon. */
export const SOON_DAYS = 30

export const OverviewQuery = Arguments({
  environment: Type.Unsafe<0 | 1>(
    Choice([0, 1], { default: 0, description: 'Counts what is live (0), or of the sandbox (1).' }),
  ),
  ...Fields,
})
export type OverviewQuery = Static<typeof OverviewQuery>

const count = (description: string) => Nullable(Type.Integer({ description }))

/** How many there are now of what a seller looks at first; null of what the caller's role may not read. */
export const Overview = Type.Object(
  {
    environment: Choice([0, 1]),
    users: count('People, of both environments.'),
    customers: count('Those whose payments come to more than nothing; of the sandbox, who paid there.'),
    licenses_active: count('Neither cancelled nor expired.'),
    licenses_expiring: count(`Of these, what ends within ${SOON_DAYS} days.`),
    installs_active: count('In use, and not uninstalled.'),
    trials_running: count('Neither over, nor cancelled, nor bought.'),
    subscriptions_active: count('Not cancelled.'),
    subscriptions_failing: count('Of these, whose last renewal was declined and is tried again.'),
    carts_open: count('Not completed, given up or not.'),
    webhooks_failing: count('Listeners whose last attempt failed, or that were switched off for it.'),
    reviews_pending: count('Reviews that are not shown.'),
    disputes_open: count('Disputes that are neither won nor lost.'),
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>
export type Counted = Exclude<keyof Overview, 'environment'>
