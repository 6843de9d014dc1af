import type { PLAN } from '../../catalogue/plans/plan.entity.ts'
import type { PRICE } from '../../catalogue/plans/price.entity.ts'
import type { ColumnsOf, Entity } from './columns.ts'

/** What a product is sold as; its columns are described with the noun. */
export interface PlansTable extends ColumnsOf<(typeof PLAN)['fields']> {}

/** What a pricing table says of a product; a plan may give it a value. */
export interface FeaturesTable extends Entity {
  product_id: number
  title: string
  description: string
  is_featured: boolean
}

/** A feature that a plan has. */
export interface FeatureValuesTable extends Entity {
  product_id: number
  plan_id: number
  feature_id: number
  value: string | null
}

/** What a plan costs for a number of licenses; its columns are described with the noun. */
export interface PricingTable extends ColumnsOf<(typeof PRICE)['fields']> {}
