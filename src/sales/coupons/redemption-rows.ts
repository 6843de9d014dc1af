import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { redemptionsIn } from './schema.ts'

/** Which count of which coupon: live and in sandboxes each has its own (`docs/decisions.md` 3.22). */
export interface Counted {
  readonly couponId: number
  readonly environment: Environment
}

/**
 * Counts one redemption unless the limit is reached, in one statement, so that no two share the last. The
 * coupon is the product's, its store's or its parent's; undefined when there is none or it is used up.
 */
export function countRedemption(db: Writer, owner: Owner, { couponId, environment }: Counted) {
  const count = redemptionsIn(environment)
  return usable(db, owner, couponId)
    .set(count, (eb) => eb(count, '+', 1))
    .where('deleted_at', 'is', null)
    .where((or) => or.or([or('redemptions_limit', 'is', null), or(count, '<', or.ref('redemptions_limit'))]))
    .returning('id')
    .executeTakeFirst()
}

/** Takes one redemption off the count; a deleted coupon keeps its count right too. */
export function uncountRedemption(db: Writer, owner: Owner, { couponId, environment }: Counted) {
  const count = redemptionsIn(environment)
  return usable(db, owner, couponId)
    .set(count, (eb) => eb(count, '-', 1))
    .execute()
}

const usable = (db: Writer, owner: Owner, couponId: number) =>
  unscoped(db, "the product's own coupon, its store's, or its parent's")
    .updateTable('coupons')
    .where('id', '=', couponId)
    .where((or) =>
      or.or([
        or('product_id', '=', owner.productId),
        or('product_id', '=', product(db, owner).select('products.parent_plugin_id')),
        or('store_id', '=', product(db, owner).select('products.store_id')),
      ]),
    )

const product = (db: Reader, owner: Owner) => scoped(db, 'products', owner).select()

export const UNPROVEN = 'what came with licenses that the caller holds'

/** The redemptions that came with licenses which were got for nothing count from now on. */
export const makeRedemptionsCount = (db: Writer, licenseIds: readonly number[]) =>
  unscoped(db, UNPROVEN)
    .updateTable('coupon_redemptions')
    .set({ license_id: null })
    .where('license_id', 'in', inList(licenseIds))
    .execute()
