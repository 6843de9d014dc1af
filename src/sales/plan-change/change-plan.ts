import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { recordEvents } from '../../events/log/record.ts'
import { moveToPlan } from '../../licensing/installs/move-to-plan.ts'
import { holdFamily } from '../../licensing/licenses/family.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { changeFamily } from '../../licensing/licenses/update-license.ts'
import { activeOfLicense, updateSubscriptionRow } from '../subscriptions/subscription-rows.ts'
import type { PlanChange } from './schema.ts'
import { quotaOf, wantedPlan } from './wanted-plan.ts'

/**
 * Gives a license another plan, with the number of sites, features and white label of its price; its end stays. What
 * renews it goes on at the amount that its buyer has agreed to, and says from then on what that is for. Held, so that
 * however many ask at once it is changed once. 404 when the owner has no such license; 400 as `wantedPlan` refuses.
 */
export async function changePlan(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: PlanChange,
): Promise<LicenseRow> {
  const family = await holdFamily(ctx, scope, id)
  const wanted = await wantedPlan(ctx, scope, family.license, input)
  const { plan, pricing } = wanted
  const subscription = await activeOfLicense(ctx.db, id)
  const ofCycle = subscription?.billing_cycle === 1 ? plan.is_block_features_monthly : plan.is_block_features
  const isOther = plan.id !== family.license.plan_id
  const license = await changeFamily(ctx, scope, family, {
    isBySeller: true,
    change: {
      plan_id: plan.id,
      pricing_id: pricing?.id ?? null,
      quota: quotaOf(family.license, wanted),
      ...(isOther && { is_block_features: ofCycle }),
      ...(pricing && { is_whitelabeled: pricing.is_whitelabeled }),
    },
  })
  if (isOther) await recordEvents(ctx, scope, await moveToPlan(ctx, license))
  if (subscription && (isOther || subscription.pricing_id !== license.pricing_id)) {
    const is = { plan_id: plan.id, pricing_id: license.pricing_id, updated: ctx.clock.now() }
    await updateSubscriptionRow(ctx.db, scope, subscription.id, is)
  }
  return license
}
