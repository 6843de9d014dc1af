import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { CouponRedemptionsTable } from '../../db/tables/coupons.ts'
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

/**
 * Writes down a redemption, with what its coupon says now; its id. Undefined when the coupon is one per user
 * and the user has redeemed it there, also from before it was. `countRedemption` holds the coupon's row already, so
 * that two redemptions of it take turns.
 */
export const insertRedemption = (
  db: Writer,
  {
    product_id,
    coupon_id,
    user_id,
    license_id = null,
    environment,
    created,
  }: Omit<Insertable<CouponRedemptionsTable>, 'is_one_per_user' | 'environment'> & {
    readonly environment: Environment
  },
) =>
  db
    .insertInto('coupon_redemptions')
    .columns([
      'product_id',
      'coupon_id',
      'user_id',
      'license_id',
      'is_one_per_user',
      'environment',
      'created',
    ])
    .expression(
      unscoped(db, 'the coupon that was counted')
        .selectFrom('coupons')
        .select((eb) => [
          eb.val(product_id).as('product_id'),
          'coupons.id',
          eb.val(user_id).as('user_id'),
          eb.cast<number | null>(eb.val(license_id), 'bigint').as('license_id'),
          // One that does not count yet stands in the way of none that does.
          license_id === null ? 'coupons.is_one_per_user' : eb.lit(0).as('is_one_per_user'),
          eb.cast<Environment>(eb.val(environment), 'smallint').as('environment'),
          eb.val(created).as('created'),
        ])
        .where('coupons.id', '=', coupon_id)
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('coupons.is_one_per_user', '=', 0),
            not(
              exists(
                selectFrom('coupon_redemptions as earlier')
                  .select('earlier.id')
                  .where('earlier.coupon_id', '=', coupon_id)
                  .where('earlier.user_id', '=', user_id)
                  .where('earlier.environment', '=', environment)
                  .where((is) => (license_id === null ? is('earlier.license_id', 'is', null) : is.lit(true))),
              ),
            ),
          ]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

const UNPROVEN = 'what came with licenses that the caller holds'

/** What a user has redeemed a coupon with in an environment: the licenses that it was got for nothing with, and null for what counts. */
export const redeemedWith = async (
  db: Reader,
  { couponId, environment }: Counted,
  userId: number,
): Promise<(number | null)[]> => {
  const rows = await unscoped(db, 'of the buyer of a checkout, wherever the coupon is')
    .selectFrom('coupon_redemptions')
    .select('license_id')
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('environment', '=', environment)
    .execute()
  return rows.map(({ license_id: id }) => id)
}

/** The redemptions that came with licenses which were got for nothing count from now on. */
export const makeRedemptionsCount = (db: Writer, licenseIds: readonly number[]) =>
  unscoped(db, UNPROVEN)
    .updateTable('coupon_redemptions')
    .set({ license_id: null })
    .where('license_id', 'in', inList(licenseIds))
    .execute()

/** Takes away the redemptions that came with a license which was got for nothing; what they were counted in. */
export const deleteUnprovenRedemptions = (db: Writer, licenseId: number) =>
  unscoped(db, UNPROVEN)
    .deleteFrom('coupon_redemptions')
    .where('license_id', '=', licenseId)
    .returning(['coupon_id as couponId', 'environment'])
    .execute()
