import { CURRENCIES, toDecimal } from '../../lib/money.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import {
  enriched,
  presentFeature,
  type Feature,
  type FeatureEnriched,
  type FeatureValueRow,
} from '../../catalogue/plans/feature-schema.ts'
import { presentPricing, type PricingRow } from '../../catalogue/plans/pricing-schema.ts'
import type { PlanOfTable, SinglePrices, TableFilter } from './pricing-table-schema.ts'
import { presentPlan } from '../../catalogue/plans/schema.ts'
import type { PlanPriceRow, TableProduct } from './pricing-table-queries.ts'

/**
 * The plans of a product in the seller's order, the default one first, each with its prices and features.
 * A plan that is sold at hidden prices only is hidden too.
 */
export function nestedPlans(
  product: Pick<TableProduct, 'is_released' | 'plans' | 'features' | 'default_plan_id'>,
  rows: readonly PlanPriceRow[],
  values: readonly FeatureValueRow[],
  { currency, type, show_pending: showPending }: TableFilter,
): PlanOfTable[] {
  if (!product.is_released && !showPending) return []
  const isVisible = type === 'visible'
  const rowsBy = Map.groupBy(rows, ({ id }) => id)
  const featuresBy = featuresByPlan(product.features, values)
  const plans = [...rowsBy].map(([id, ofPlan]) => ({ id, ofPlan, prices: pricesIn(ofPlan) }))
  return inOrderOf(product.plans, plans, product.default_plan_id).flatMap(({ id, ofPlan, prices }) => {
    const [plan] = ofPlan
    const offered = isVisible ? prices.filter((price) => !price.is_hidden) : prices
    const isHidden = plan?.is_hidden === true || (prices.length > 0 && offered.length === 0)
    if (!plan || (isVisible && isHidden)) return []
    const shown = offered.filter((price) => currency === undefined || price.currency === currency)
    return {
      ...presentPlan(plan),
      ...(prices.length > 0 && { pricing: shown.map(presentPricing) }),
      features: featuresBy.get(id)?.flat() ?? [],
    }
  })
}

/**
 * The features of each plan, each at its place in the seller's order, with holes for those a plan lacks. A
 * feature is presented once and not again for every plan that has it.
 */
function featuresByPlan(
  order: string,
  values: readonly FeatureValueRow[],
): ReadonlyMap<number, FeatureEnriched[]> {
  const presented = new Map<number, Feature>()
  for (const row of values) if (!presented.has(row.id)) presented.set(row.id, presentFeature(row))
  const inOrder = inOrderOf(
    order,
    [...presented.keys()].map((id) => ({ id })),
  )
  const placeOf = new Map(inOrder.map(({ id }, place) => [id, place]))
  const byPlan = new Map<number, FeatureEnriched[]>()
  for (const { id, plan_id: planId, value } of values) {
    const [feature, place] = [presented.get(id), placeOf.get(id)]
    if (!feature || place === undefined) continue
    const list = byPlan.get(planId) ?? []
    list[place] = enriched(feature, planId, value)
    byPlan.set(planId, list)
  }
  return byPlan
}

/** The prices of these plans for one license, a visible one before a hidden one; 0 where there is none. */
export function singlePricesOf(
  plans: readonly PlanOfTable[],
  rows: readonly PlanPriceRow[],
): Record<string, SinglePrices> {
  const single = pricesIn(rows).filter(({ licenses }) => licenses === 1)
  const ordered = single.toSorted((a, b) => Number(a.is_hidden) - Number(b.is_hidden))
  return Object.fromEntries(
    plans.map(({ id }) => {
      const prices = ordered.filter((price) => String(price.plan_id) === id)
      const amounts = (cycle: 'monthly_price' | 'annual_price' | 'lifetime_price') =>
        Object.fromEntries(
          CURRENCIES.map((currency) => {
            const price = prices.find((one) => one.currency === currency)
            return [currency, toDecimal(price?.[cycle] ?? 0)]
          }),
        ) as SinglePrices['monthly_price']
      return [
        id,
        {
          monthly_price: amounts('monthly_price'),
          annual_price: amounts('annual_price'),
          lifetime_price: amounts('lifetime_price'),
        },
      ]
    }),
  )
}

/** The prices among rows of plans with their prices. */
function pricesIn(rows: readonly PlanPriceRow[]): Omit<PricingRow, 'twin_of'>[] {
  return rows.flatMap((row) => (hasPrice(row) ? priceOf(row) : []))
}

type Filled<T> = { readonly [K in keyof T]: NonNullable<T[K]> }
type WithPrice = PlanPriceRow &
  Filled<
    Pick<PlanPriceRow, 'pricing_id' | 'pricing_created' | 'currency' | 'is_whitelabeled' | 'is_price_hidden'>
  >

/** False for the one row of a plan without prices. */
const hasPrice = (row: PlanPriceRow): row is WithPrice => row.pricing_id !== null

const priceOf = (row: WithPrice): Omit<PricingRow, 'twin_of'> => ({
  id: row.pricing_id,
  created: row.pricing_created,
  updated: row.pricing_updated,
  product_id: row.product_id,
  plan_id: row.id,
  currency: row.currency,
  licenses: row.licenses,
  monthly_price: row.monthly_price,
  annual_price: row.annual_price,
  lifetime_price: row.lifetime_price,
  is_whitelabeled: row.is_whitelabeled,
  is_hidden: row.is_price_hidden,
})
