import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag } from './columns.ts'
import type { Environment } from './licenses.ts'

export const DISCOUNT_TYPES = ['dollar', 'percentage'] as const
export const USER_TYPES = ['all', 'new', 'current', 'previous', 'customer', 'migrated'] as const
export const SPECIAL_TYPES = [
  'affiliate',
  'renewals_discount',
  'manual_renewals_discount',
  'subscription_cancellation',
  'cart_recovery',
  'exit_intent',
] as const
export type SpecialType = (typeof SPECIAL_TYPES)[number]

/** A coupon of one product, or of a store and so of all its products: exactly one of the two is set. */
export interface CouponsTable extends Entity {
  product_id: number | null
  store_id: number | null
  code: string
  /** Several coupons may have one code. */
  code_folded: string
  discount_type: (typeof DISCOUNT_TYPES)[number]
  /** Whole percent, or minor units of US dollars. */
  discount: number
  /** Minor units where euros and pounds have an amount of their own; null: as many as dollars. */
  discount_eur: number | null
  discount_gbp: number | null
  /** Comma-separated, ascending, each once; null: all. */
  plans: string | null
  /** As `plans`; 0 is an unlimited license. */
  licenses: string | null
  /** As `plans`; 0 is lifetime. */
  billing_cycles: string | null
  user_type: (typeof USER_TYPES)[number]
  start_date: UtcTime
  /** The first moment at which it is no longer valid. */
  end_date: UtcTime
  /** Live. */
  redemptions: number
  /** In sandboxes, which `redemptions_limit` bounds for itself. */
  sandbox_redemptions: Generated<number>
  redemptions_limit: number | null
  has_renewals_discount: Flag
  has_addons_discount: Flag
  is_one_per_user: Flag
  is_active: Flag
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: number
  deleted_at: UtcTime | null
}

/**
 * One use of a coupon; while the coupon is one per user, no second one of the same user in the environment is written.
 */
export interface CouponRedemptionsTable {
  id: Generated<number>
  /** What was bought. */
  product_id: number
  coupon_id: number
  user_id: number
  environment: Generated<Environment>
  /**
   * Set as long as it came with a license that was got for nothing for an address that was typed: it does not count.
   */
  license_id: Generated<number | null>
  /** What the coupon said when it was redeemed. */
  is_one_per_user: Flag
  created: UtcTime
}

/** The coupon of a product for a purpose of its own; one a purpose. */
export interface SpecialCouponsTable extends Entity {
  product_id: number
  coupon_id: number
  type: SpecialType
}
