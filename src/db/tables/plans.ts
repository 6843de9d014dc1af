import type { Generated } from 'kysely'
import type { PLAN } from '../../catalogue/plans/plan.entity.ts'
import type { Currency } from '../../lib/money.ts'
import type { ColumnsOf, Entity, Flag } from './columns.ts'

/** What a product is sold as; its columns are described with the noun. */
export interface PlansTable extends ColumnsOf<(typeof PLAN)['fields']> {}

/** What a pricing table says of a product; a plan may give it a value. */
export interface FeaturesTable extends Entity {
  product_id: number
  title: string
  description: string
  is_featured: Flag
}

/** A feature that a plan has. */
export interface FeatureValuesTable extends Entity {
  product_id: number
  plan_id: number
  feature_id: number
  value: string | null
}

/** Prices of a plan for a number of licenses, in minor units of the currency; null where a cycle is not sold. */
export interface PricingTable extends Entity {
  product_id: number
  plan_id: number
  currency: Currency
  /** Null: unlimited. */
  licenses: number | null
  monthly_price: number | null
  annual_price: number | null
  lifetime_price: number | null
  is_whitelabeled: Flag
  is_hidden: Flag
  /** Of a price that stood twice before that was refused: the id of the other one; else 0. */
  twin_of: Generated<number>
}
