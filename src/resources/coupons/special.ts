import type { ReadContext, TxContext } from '../../context.ts'
import type { SpecialType } from '../../db/tables/coupons.ts'
import type { Scope } from '../../http/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../events/record.ts'
import { getCoupon } from './service.ts'
import { deleteSpecial, listSpecial, putSpecial } from './special-queries.ts'
import { presentSpecial, type CouponEntity, type SpecialList } from './special-schema.ts'

/** The special coupons of a product, at most one a type (SPEC 2.5). */
export async function getSpecial(
  ctx: ReadContext,
  scope: Scope,
  { type }: SpecialList,
): Promise<CouponEntity[]> {
  return (await listSpecial(ctx.db, scope, type)).map(presentSpecial)
}

interface Purpose {
  readonly coupon_id: number
  readonly special_id: SpecialType
}

/**
 * Gives a coupon of the product or of its store a special purpose, in the place of the coupon that had it:
 * the type is its id (`spec/behaviour/billing.md` 10). 404 when there is no such coupon.
 */
export async function makeSpecial(
  ctx: TxContext,
  scope: Scope,
  { coupon_id: couponId, special_id: type }: Purpose,
): Promise<CouponEntity> {
  await getCoupon(ctx, scope, couponId)
  const [before] = await listSpecial(ctx.db, scope, type)
  if (before?.coupon_id === couponId) return presentSpecial(before)
  await putSpecial(ctx.db, {
    product_id: scope.productId,
    coupon_id: couponId,
    type,
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  const [special] = await listSpecial(ctx.db, scope, type)
  if (!special) throw new Error('A special coupon that was written is there.')
  const from = before ? { special: type, coupon_id: String(before.coupon_id) } : null
  await recordEvent(ctx, scope, {
    type: 'coupon.updated',
    data: { coupon_id: String(couponId), from, to: { special: type, coupon_id: String(couponId) } },
  })
  return presentSpecial(special)
}

/** Ends the special purpose of a coupon; 404 when the coupon does not have it. */
export async function endSpecial(
  ctx: TxContext,
  scope: Scope,
  { coupon_id: couponId, special_id: type }: Purpose,
): Promise<void> {
  if (!(await deleteSpecial(ctx.db, scope, couponId, type))) throw notFound('coupon')
  await recordEvent(ctx, scope, {
    type: 'coupon.updated',
    data: { coupon_id: String(couponId), from: { special: type, coupon_id: String(couponId) }, to: null },
  })
}
