import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { listFeaturesOfPlan } from '../../catalogue/plans/feature-rows.ts'
import type { FeatureValueRow } from '../../catalogue/plans/feature-schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { idText } from '../../lib/id-text.ts'
import { toDecimal } from '../../lib/money.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { usedOf } from '../../licensing/licenses/counts.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { activeOfLicense } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { PlanChange, PlanChangePreview } from './schema.ts'
import { quotaOf, wantedPlan, type Wanted } from './wanted-plan.ts'

/** What another plan would change for a license; nothing is. Refuses what `changePlan` would. */
export async function previewPlan(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  input: PlanChange,
): Promise<PlanChangePreview> {
  const license = await getLicense(ctx, scope, id)
  const wanted = await wantedPlan(ctx, scope, license, input)
  const subscription = await activeOfLicense(ctx.db, id)
  const before = await getPlan(ctx, scope, license.plan_id)
  const quota = quotaOf(license, wanted)
  return {
    license_id: String(id),
    from: {
      plan_id: String(before.id),
      plan_title: before.title,
      pricing_id: idText(license.pricing_id),
      quota: license.quota,
    },
    to: {
      plan_id: String(wanted.plan.id),
      plan_title: wanted.plan.title,
      pricing_id: idText(wanted.pricing?.id ?? null),
      quota,
    },
    features: await featuresBetween(ctx, scope, before.id, wanted.plan.id),
    expiration: license.expiration,
    over_quota: quota === null ? 0 : Math.max(0, usedOf(license) - quota),
    subscription: subscription ? renewalOf(subscription, wanted) : null,
  }
}

const PRICES = { 1: 'monthly_price', 12: 'annual_price', 0: 'lifetime_price' } as const

function renewalOf(row: SubscriptionRow, { pricing }: Wanted): PlanChangePreview['subscription'] {
  const price = pricing?.currency === row.currency ? pricing[PRICES[row.billing_cycle]] : null
  return {
    id: String(row.id),
    currency: row.currency,
    billing_cycle: row.billing_cycle,
    renewal_amount: toDecimal(row.renewal_amount),
    next_payment: row.next_payment,
    price: price === null ? null : toDecimal(price),
  }
}

/** What two plans give differently. */
async function featuresBetween(
  ctx: ReadContext,
  scope: Scope,
  from: number,
  to: number,
): Promise<PlanChangePreview['features']> {
  const [before, after] = [
    await listFeaturesOfPlan(ctx.db, scope, { planId: from }),
    await listFeaturesOfPlan(ctx.db, scope, { planId: to }),
  ]
  const [first] = [...before, ...after]
  const all = new Map([...before, ...after].map((row) => [row.id, row]))
  const given = (rows: readonly FeatureValueRow[], id: number) => {
    const found = rows.find((row) => row.id === id)
    return found ? (found.value ?? '') : null
  }
  return inOrderOf(first?.feature_order ?? '', [...all.values()])
    .map(({ id, title }) => ({ id: String(id), title, from: given(before, id), to: given(after, id) }))
    .filter((feature) => feature.from !== feature.to)
}
