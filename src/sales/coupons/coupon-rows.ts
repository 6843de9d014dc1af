import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'

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
