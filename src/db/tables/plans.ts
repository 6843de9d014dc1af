import type { Generated } from 'kysely'
import type { Currency } from '../../lib/money.ts'
import type { Entity, Flag } from './columns.ts'

/** What a product is sold as. */
export interface PlansTable extends Entity {
  product_id: number
  /** Folded, so that it is unique in its product whatever the case it was given in. */
  name: string
  title: string
  description: string | null
  is_free_localhost: Flag
  is_block_features: Flag
  is_block_features_monthly: Flag
  /** 0 by domain, 1 by subdomain. */
  license_type: 0 | 1
  /** Days; null: no trial. */
  trial_period: number | null
  is_require_subscription: Flag
  support_kb: string | null
  support_forum: string | null
  support_email: string | null
  support_phone: string | null
  is_success_manager: Flag
  is_featured: Flag
  is_hidden: Flag
}

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
