import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { CouponsTable } from '../../db/tables/coupons.ts'

/**
 * Whose coupons: a product's, which reads those of its store beside its own and writes its own only; or,
 * with `ofStore`, those of a store that the developer was found to own.
 */
export interface CouponOwner extends Owner {
  readonly ofStore?: number
}

/** The coupons that an owner may write. */
export const ownCoupons = (db: Reader, owner: CouponOwner) =>
  owner.ofStore === undefined
    ? scoped(db, 'coupons', owner).select().where('coupons.deleted_at', 'is', null)
    : inStore(db, owner.ofStore)

const inStore = (db: Reader, storeId: number) =>
  unscoped(db, "a store's coupons, of a store that is the caller's")
    .selectFrom('coupons')
    .where('coupons.store_id', '=', storeId)
    .where('coupons.deleted_at', 'is', null)

/** The coupons of the store in which the owner's product stands. */
export const couponsOfItsStore = (db: Reader, owner: Owner) =>
  unscoped(db, "coupons of the store of the scope's product")
    .selectFrom('coupons')
    .where('coupons.store_id', '=', scoped(db, 'products', owner).select().select('products.store_id'))
    .where('coupons.deleted_at', 'is', null)

/** The coupons of the product to which the owner's product is an add-on. */
const ofItsParent = (db: Reader, owner: Owner) =>
  unscoped(db, "coupons of the parent of the scope's product")
    .selectFrom('coupons')
    .where(
      'coupons.product_id',
      '=',
      scoped(db, 'products', owner).select().select('products.parent_plugin_id'),
    )
    .where('coupons.deleted_at', 'is', null)

/** A coupon that the owner may read. */
export async function findCoupon(db: Reader, owner: CouponOwner, id: number) {
  const [row] =
    owner.ofStore === undefined
      ? await findOfProduct(db, owner, { id })
      : await ownCoupons(db, owner).selectAll().where('coupons.id', '=', id).execute()
  return row
}

const findOfProduct = preparedFor((db, owner, { id }: { id: number }) =>
  ownCoupons(db, owner)
    .selectAll()
    .where('coupons.id', '=', id)
    .unionAll(couponsOfItsStore(db, owner).selectAll().where('coupons.id', '=', id)),
)

/** The coupon of which a checkout has taken a redemption, whosever it is; also one that was deleted since. */
export const findTakenCoupon = (db: Reader, id: number) =>
  unscoped(db, 'the coupon that the price of a checkout has')
    .selectFrom('coupons')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

/** Every coupon with this code that a purchase of the owner's product could use, in no order. */
export const findByCode = preparedFor((db, owner, { codeFolded }: { codeFolded: string }) =>
  ownCoupons(db, owner)
    .selectAll()
    .where('coupons.code_folded', '=', codeFolded)
    .unionAll(couponsOfItsStore(db, owner).selectAll().where('coupons.code_folded', '=', codeFolded))
    .unionAll(ofItsParent(db, owner).selectAll().where('coupons.code_folded', '=', codeFolded)),
)

/** A coupon that a purchase of the owner's product could use, by its id. */
export async function findUsable(db: Reader, owner: Owner, id: number) {
  const [row] = await findUsableOf(db, owner, { id })
  return row
}

const findUsableOf = preparedFor((db, owner, { id }: { id: number }) =>
  ownCoupons(db, owner)
    .selectAll()
    .where('coupons.id', '=', id)
    .unionAll(couponsOfItsStore(db, owner).selectAll().where('coupons.id', '=', id))
    .unionAll(ofItsParent(db, owner).selectAll().where('coupons.id', '=', id)),
)

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
