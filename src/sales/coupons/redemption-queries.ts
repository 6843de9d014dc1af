import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { unscoped } from '../../db/scoped.ts'
import type { CouponRedemptionsTable } from '../../db/tables/coupons.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { type Counted, UNPROVEN } from './redemption-rows.ts'

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
          license_id === null ? 'coupons.is_one_per_user' : literal(false).as('is_one_per_user'),
          eb.cast<Environment>(eb.val(environment), 'smallint').as('environment'),
          eb.val(created).as('created'),
        ])
        .where('coupons.id', '=', coupon_id)
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('coupons.is_one_per_user', '=', false),
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

/** Takes away the redemptions that came with a license which was got for nothing; what they were counted in. */
export const deleteUnprovenRedemptions = (db: Writer, licenseId: number) =>
  unscoped(db, UNPROVEN)
    .deleteFrom('coupon_redemptions')
    .where('license_id', '=', licenseId)
    .returning(['coupon_id as couponId', 'environment'])
    .execute()
