import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { COUPON } from '../../sales/coupons/coupon.entity.ts'
import type { ColumnsOf, Entity } from './columns.ts'
import type { Environment } from './licenses.ts'

export const SPECIAL_TYPES = [
  'affiliate',
  'renewals_discount',
  'manual_renewals_discount',
  'subscription_cancellation',
  'cart_recovery',
  'exit_intent',
] as const
export type SpecialType = (typeof SPECIAL_TYPES)[number]

/** What takes something off a price; its columns are described with the noun. */
export interface CouponsTable extends ColumnsOf<(typeof COUPON)['fields']> {}

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
  is_one_per_user: boolean
  created: UtcTime
}

/** The coupon of a product for a purpose of its own; one a purpose. */
export interface SpecialCouponsTable extends Entity {
  product_id: number
  coupon_id: number
  type: SpecialType
}
