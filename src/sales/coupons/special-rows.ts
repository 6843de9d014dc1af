import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { SpecialType } from '../../db/tables/coupons.ts'

/** The special coupons of a product, each with its coupon, or the one of a type. */
export function listSpecial(db: Reader, owner: Owner, type: SpecialType | undefined) {
  const all = scoped(db, 'special_coupons', owner)
    .select()
    .innerJoin('coupons', (join) =>
      join.onRef('coupons.id', '=', 'special_coupons.coupon_id').on('coupons.deleted_at', 'is', null),
    )
    .selectAll('special_coupons')
    .select([
      'coupons.code',
      'coupons.redemptions',
      'coupons.discount',
      'coupons.discount_type',
      'coupons.discount_eur',
      'coupons.discount_gbp',
      'coupons.has_renewals_discount',
    ])
  const found = type === undefined ? all : all.where('special_coupons.type', '=', type)
  return found.orderBy('special_coupons.id').execute()
}
