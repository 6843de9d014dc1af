import type { Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { SpecialCouponsTable, SpecialType } from '../../db/tables/coupons.ts'

/**
 * Holds a coupon of the product or of its store, so that nobody deletes it before the transaction ends; false
 * when there is none.
 */
export async function holdReadable(db: Writer, owner: Owner, couponId: number): Promise<boolean> {
  const readable = unscoped(db, "the product's own coupon, or its store's")
    .selectFrom('coupons')
    .select('id')
    .where('id', '=', couponId)
    .where('deleted_at', 'is', null)
    .where((or) =>
      or.or([
        or('product_id', '=', owner.productId),
        or('store_id', '=', scoped(db, 'products', owner).select().select('products.store_id')),
      ]),
    )
  return (await holding(db, readable).executeTakeFirst()) !== undefined
}

/** Gives a type its first special coupon; false when it has one. */
export async function insertSpecial(db: Writer, row: Insertable<SpecialCouponsTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows: written } = await db
    .insertInto('special_coupons')
    .values(row)
    .onConflict((conflict) => conflict.columns(['product_id', 'type']).doNothing())
    .executeTakeFirst()
  return written === 1n
}

const ofType = (db: Writer, owner: Owner, type: SpecialType) =>
  scopedWrite(db, 'special_coupons', owner).update().where('special_coupons.type', '=', type)

/** Holds the special coupon of a type, and says which it is; undefined when there is none. */
export const lockSpecial = (db: Writer, owner: Owner, type: SpecialType) =>
  holding(
    db,
    scoped(db, 'special_coupons', owner)
      .select()
      .select('special_coupons.coupon_id')
      .where('special_coupons.type', '=', type),
  ).executeTakeFirst()

/** Puts a coupon in the place of the special one of its type. */
export const replaceSpecial = (
  db: Writer,
  owner: Owner,
  { type, coupon_id, created: now }: Insertable<SpecialCouponsTable>,
) => ofType(db, owner, type).set({ coupon_id, updated: now }).execute()

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
