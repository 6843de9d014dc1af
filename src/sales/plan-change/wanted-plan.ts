import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { getPricing } from '../../catalogue/plans/pricing.ts'
import type { PricingRow } from '../../catalogue/plans/pricing-schema.ts'
import type { PlanRow } from '../../catalogue/plans/schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { ApiError, invalid, invalidFields } from '../../lib/errors.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { refuseUnchangeable } from '../../licensing/licenses/unchangeable.ts'
import type { PlanChange } from './schema.ts'

export interface Wanted {
  readonly plan: PlanRow
  /** Null: the license keeps the number of sites that it has, at no price. */
  readonly pricing: PricingRow | null
}

/**
 * The plan and price that a license shall have. 400 naming the field that is of no plan or price of the product,
 * `license_cancelled`, `license_error` for one that came with a bundle, or is of a trial.
 */
export async function wantedPlan(
  ctx: ReadContext,
  scope: Scope,
  license: LicenseRow,
  { plan_id: planId, pricing_id: pricingId }: PlanChange,
): Promise<Wanted> {
  refuseUnchangeable(license)
  if (license.is_trial) {
    throw invalid('license_error', 'This license is of a trial, which is of the plan that was chosen for it.')
  }
  const plan = await named('plan_id', 'must be a plan of the product', () => getPlan(ctx, scope, planId))
  if (typeof pricingId !== 'number') return { plan, pricing: null }
  const ids = { plan_id: planId, pricing_id: pricingId }
  const pricing = await named('pricing_id', 'must be a price of the plan', () => getPricing(ctx, scope, ids))
  return { plan, pricing }
}

/** What an argument names; 400 at its field where there is no such thing. */
async function named<T>(field: string, message: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw invalidFields([{ field, message }])
    throw error
  }
}

/** On how many sites a license may be active as it is wanted; null: on any number. */
export const quotaOf = ({ quota }: LicenseRow, { pricing }: Wanted): number | null =>
  pricing ? pricing.licenses : quota
