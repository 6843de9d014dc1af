import { Type, type Static } from '../../lib/type.ts'
import type { Selectable } from 'kysely'
import { SPECIAL_TYPES, type SpecialCouponsTable, type SpecialType } from '../../db/tables/coupons.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Time } from '../../http/wire.ts'
import { COUPON, discountOf } from './coupon.entity.ts'
import { Discounts, discountsOf, type CouponRow } from './schema.ts'

/** A special coupon joined with its coupon. */
export type SpecialRow = Selectable<SpecialCouponsTable> &
  Pick<
    CouponRow,
    | 'code'
    | 'redemptions'
    | 'discount'
    | 'discount_type'
    | 'discount_eur'
    | 'discount_gbp'
    | 'has_renewals_discount'
  >

const { discount, discount_type, has_renewals_discount } = COUPON.shown

/** A special coupon; `coupon_id` is a number (`docs/interface.md` 1.2). */
export const CouponEntity = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    coupon_id: Type.Integer({ minimum: 1 }),
    entity_id: IdText(),
    entity_type: Type.Integer({ description: 'Always 2, a product.' }),
    type: Choice(SPECIAL_TYPES),
    code: Type.String(),
    redemptions: Type.Integer({ minimum: 0 }),
    discount,
    discount_type,
    has_renewals_discount,
    discounts: Discounts,
  },
  { title: 'CouponEntityEnriched' },
)
export type CouponEntity = Static<typeof CouponEntity>

export const SpecialId = Arguments({
  coupon_id: Id('ID of the coupon.'),
  special_id: Type.Unsafe<SpecialType>(Choice(SPECIAL_TYPES, { description: 'What it is for.' })),
})

export const SpecialList = Arguments({
  type: Optional(Choice(SPECIAL_TYPES, { description: 'Keeps one purpose.' })),
})
export type SpecialList = Static<typeof SpecialList>

/** The number that stands for a product as the holder of a special coupon (`docs/interface.md` 9.3). */
const PRODUCT = 2

/** Row → wire. */
export const presentSpecial = (row: SpecialRow): CouponEntity => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  coupon_id: row.coupon_id,
  entity_id: String(row.product_id),
  entity_type: PRODUCT,
  type: row.type,
  code: row.code,
  redemptions: row.redemptions,
  discount: discountOf(row),
  discount_type: row.discount_type,
  discounts: discountsOf(row),
  has_renewals_discount: row.has_renewals_discount,
})
