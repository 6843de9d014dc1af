import type { TxContext } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { createFeature, setFeatureValue } from '../src/catalogue/plans/features.ts'
import { createPricing } from '../src/catalogue/plans/pricing.ts'
import { createPlan } from '../src/catalogue/plans/service.ts'
import { createProduct } from '../src/catalogue/products/service.ts'

/** A plan with a price and a feature. */
export interface Offer {
  readonly planId: number
  readonly pricingId: number
  readonly featureId: number
}

export interface Owned {
  readonly developerId: number
  readonly storeId: number
  readonly productId: number
}

/** A plan of this name in the product, at 49.99 US dollars a year for one license, with one feature. */
export async function createOffer(
  tx: TxContext,
  owner: Omit<Owned, 'storeId'>,
  name: string,
): Promise<Offer> {
  const scope = systemScope(owner)
  const plan = await createPlan(tx, scope, {
    name,
    is_free_localhost: true,
    is_block_features: true,
    is_block_features_monthly: true,
    license_type: 0,
  })
  const planId = Number(plan.id)
  const pricing = await createPricing(tx, scope, planId, { annual_price: 49.99 })
  const feature = await createFeature(tx, scope, { title: `Feature of ${name}`, is_featured: true })
  const featureId = Number(feature.id)
  await setFeatureValue(tx, scope, { plan_id: planId, feature_id: featureId }, '10 GB')
  return { planId, pricingId: Number(pricing.id), featureId }
}

/** An add-on of the product, without plans. */
export const createAddon = (
  tx: TxContext,
  { productId, developerId, storeId }: Owned,
  title: string,
): Promise<number> =>
  createProduct(tx, {
    developerId,
    storeId,
    title,
    redirectHosts: [],
    parentId: productId,
    more: { kind: 'addon', type: 'plugin', type_alias: '' },
  })
