import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { scopedWrite, unscoped } from '../../db/scoped.ts'
import type { CouponsTable } from '../../db/tables/coupons.ts'
import { ownCoupons, type CouponOwner } from './coupon-rows.ts'

export const insertCoupon = (db: Writer, row: Insertable<CouponsTable>) =>
  db.insertInto('coupons').values(row).returningAll().executeTakeFirstOrThrow()

/** Holds a coupon that the owner may write until the end of the transaction; undefined when there is none. */
export const lockCoupon = (db: Writer, owner: CouponOwner, id: number) =>
  holding(db, ownCoupons(db, owner).selectAll().where('coupons.id', '=', id)).executeTakeFirst()

/** Writes a coupon and answers it as it is then; undefined when the owner may write no such coupon. */
export const updateCouponRow = (
  db: Writer,
  owner: CouponOwner,
  id: number,
  change: Updateable<CouponsTable>,
) => changing(db, owner, id).set(change).returningAll().executeTakeFirst()

const changing = (db: Writer, owner: CouponOwner, id: number) =>
  (owner.ofStore === undefined
    ? scopedWrite(db, 'coupons', owner).update()
    : unscoped(db, "a store's coupon, of a store that is the caller's")
        .updateTable('coupons')
        .where('coupons.store_id', '=', owner.ofStore)
  )
    .where('coupons.id', '=', id)
    .where('coupons.deleted_at', 'is', null)

/** Which of these ids are plans that a coupon of this owner may name: of its product and the add-ons to it, or of the products of its store. */
export async function knownPlans(
  db: Reader,
  owner: CouponOwner,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { ofStore, productId } = owner
  const rows = await unscoped(db, 'plans of several products of the developer')
    .selectFrom('plans')
    .innerJoin('products', 'products.id', 'plans.product_id')
    .select('plans.id')
    .where('plans.id', 'in', inList(ids))
    .where((or) =>
      ofStore === undefined
        ? or.or([or('products.id', '=', productId), or('products.parent_plugin_id', '=', productId)])
        : or('products.store_id', '=', ofStore),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
