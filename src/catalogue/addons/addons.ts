import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import type { Currency } from '../../lib/money.ts'
import { listAddonInfo } from './queries.ts'
import { presentAddon, type Addon, type AddonList, type AddonPlanList } from './schema.ts'
import { addonScope, getAddonRows, isPendingShown } from './service.ts'
import { presentFeature, type Feature } from '../plans/feature-schema.ts'
import { getFeaturesOfPlan } from '../plans/features.ts'
import type { Pricing } from '../plans/pricing-schema.ts'
import { getPricingOfPlan } from '../plans/pricing.ts'
import type { Plan } from '../plans/schema.ts'
import { getPlans } from '../plans/service.ts'
import { presentInfo } from '../products/info-schema.ts'

/** A page of a product's add-ons, when enriched each with what a market shows of it, or null. */
export async function getAddons(ctx: ReadContext, scope: Scope, query: AddonList): Promise<Addon[]> {
  const rows = await getAddonRows(ctx, scope, query)
  if (!query.enriched || rows.length === 0) return rows.map((row) => presentAddon(row, scope, ctx))
  const infos = await listAddonInfo(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const infoBy = new Map(infos.map((info) => [info.product_id, info]))
  return rows.map((row) => {
    const info = infoBy.get(row.id)
    return { ...presentAddon(row, scope, ctx), info: info ? presentInfo(info, row.icon, ctx) : null }
  })
}

/** A page of the plans of an add-on; 404 when the product has no such add-on. */
export async function plansOfAddon(
  ctx: ReadContext,
  scope: Scope,
  addonId: number,
  { count, offset, type, show_pending: isWanted }: AddonPlanList,
): Promise<Plan[]> {
  const filter = { type, show_pending: isPendingShown(scope, isWanted) }
  const plans = await getPlans(ctx, await addonScope(ctx, scope, addonId), filter)
  return plans.slice(offset, offset + count)
}

interface PlanOfAddon {
  readonly addon_id: number
  readonly plan_id: number
}

/** A page of the features of a plan of an add-on, without their values; 404 when there is no such plan. */
export async function featuresOfAddon(
  ctx: ReadContext,
  scope: Scope,
  { addon_id: addonId, plan_id: planId }: PlanOfAddon,
  page: Paged,
): Promise<Feature[]> {
  const rows = await getFeaturesOfPlan(ctx, await addonScope(ctx, scope, addonId), planId, page)
  return rows.map(presentFeature)
}

/** A page of the prices of a plan of an add-on; 404 when there is no such plan. */
export async function pricingOfAddon(
  ctx: ReadContext,
  scope: Scope,
  { addon_id: addonId, plan_id: planId }: PlanOfAddon,
  query: Paged & { readonly currency?: Currency },
): Promise<Pricing[]> {
  return getPricingOfPlan(ctx, await addonScope(ctx, scope, addonId), planId, query)
}
