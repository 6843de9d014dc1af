import type { Context, ReadContext } from '../../context.ts'
import { hasAccess } from '../../access/roles.ts'
import type { Scope } from '../../access/scope.ts'
import { getPricing } from '../../catalogue/plans/pricing.ts'
import { countLicensesAt, countSubscriptionsAt } from './queries.ts'
import type { PriceUse, PriceUseQuery } from './schema.ts'

interface PriceOfPlan {
  readonly plan_id: number
  readonly pricing_id: number
}

/**
 * Whom a change of a price concerns, counted beside the requests: who has bought renews at the amount of the
 * subscription (`docs/decisions.md` 5.2), who has none at the price. 404 without such a price.
 */
export async function useOfPrice(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  params: PriceOfPlan,
  { environment }: PriceUseQuery,
): Promise<PriceUse> {
  const { id } = await getPricing(ctx, scope, params)
  const db = ctx.database.background
  const { role } = scope.actor
  const priced = { pricingId: id, environment }
  const seesSales = role === undefined || hasAccess(role, 'sales.read')
  const seesLicenses = role === undefined || hasAccess(role, 'licenses.read')
  return {
    pricing_id: String(id),
    environment,
    subscriptions_keeping: seesSales ? await countSubscriptionsAt(db, priced) : null,
    licenses_renewed_at_price: seesLicenses ? await countLicensesAt(db, priced) : null,
  }
}
