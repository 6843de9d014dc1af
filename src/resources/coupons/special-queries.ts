import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SpecialCouponsTable, SpecialType } from '../../db/tables/coupons.ts'

/** The special coupons of a product, each with its coupon, or the one of a type. */
export function listSpecial(db: Reader, owner: Owner, type: SpecialType | undefined) {
  const all = scoped(db, 'special_coupons', owner)
    .select()
    .innerJoin('coupons', 'coupons.id', 'special_coupons.coupon_id')
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

/** Makes a coupon the special one of its type, in the place of the one there was. */
export const putSpecial = (db: Writer, row: Insertable<SpecialCouponsTable>) =>
  db
    .insertInto('special_coupons')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['product_id', 'type'])
        .doUpdateSet({ coupon_id: row.coupon_id, updated: row.created }),
    )
    .execute()

/** False when the coupon is not the special one of this type. */
export async function deleteSpecial(
  db: Writer,
  owner: Owner,
  couponId: number,
  type: SpecialType,
): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'special_coupons', owner)
    .delete()
    .where('special_coupons.coupon_id', '=', couponId)
    .where('special_coupons.type', '=', type)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends every special purpose of a coupon, in whatever product. */
export const deleteSpecialOf = (db: Writer, couponId: number) =>
  unscoped(db, "a store's coupon may be special in several products")
    .deleteFrom('special_coupons')
    .where('coupon_id', '=', couponId)
    .execute()
