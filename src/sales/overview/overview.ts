import type { Context, ReadContext } from '../../context.ts'
import { holds } from '../../access/rights.ts'
import type { Access } from '../../access/roles.ts'
import type { Scope } from '../../access/scope.ts'
import { businessTime, type BusinessTime } from '../../db/business-time.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { productsOfAccount } from '../../access/credential-rows.ts'
import { countOverview } from './queries.ts'
import { SOON_DAYS, type Counted, type Overview, type OverviewQuery } from './schema.ts'

/** What a role needs to be told a count. */
const NEEDS: Readonly<Record<Counted, Access>> = {
  users: 'customers.read',
  customers: 'sales.read',
  licenses_active: 'licenses.read',
  licenses_expiring: 'licenses.read',
  installs_active: 'licenses.read',
  trials_running: 'licenses.read',
  subscriptions_active: 'sales.read',
  subscriptions_failing: 'sales.read',
  carts_open: 'customers.read',
  webhooks_failing: 'events.read',
  reviews_pending: 'catalogue.read',
  disputes_open: 'sales.read',
}
const NAMES = Object.keys(NEEDS) as Counted[]

type CountingContext = ReadContext & Pick<Context, 'database'>

/** Counts of a product, or of an account over all its products, counted beside the requests. */
export async function overview(
  ctx: CountingContext,
  scope: Scope,
  { environment }: OverviewQuery,
): Promise<Overview> {
  const { developerId, productId, actor } = scope
  const isAccount = productId === 0
  const productIds = isAccount ? await productsOfAccount(ctx.db, scope) : [productId]
  const now = businessTime(ctx.clock, productIds)
  const counted = NAMES.filter((name) => holds(actor, NEEDS[name]))
  const asked = { developerId, productIds, isAccount, environment, now, soon: later(now) }
  const counts = await countOverview(ctx.database.background, counted, asked)
  const all = Object.fromEntries(NAMES.map((name) => [name, counts[name] ?? null]))
  return { environment, ...all } as Overview
}

const later = ({ live, sandboxes }: BusinessTime): BusinessTime => ({
  live: soonAfter(live),
  sandboxes: sandboxes.map(({ productId, now }) => ({ productId, now: soonAfter(now) })),
})

const soonAfter = (time: UtcTime): UtcTime => toUtcTime(fromUtcTime(time) + SOON_DAYS * DAY)
