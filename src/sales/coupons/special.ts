import type { ReadContext, TxContext } from '../../context.ts'
import type { SpecialType } from '../../db/tables/coupons.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { recordEvent } from '../../events/log/record.ts'
import { deleteSpecial, holdReadable, insertSpecial, lockSpecial, replaceSpecial } from './special-queries.ts'
import { listSpecial } from './special-rows.ts'
import { presentSpecial, type CouponEntity, type SpecialList } from './special-schema.ts'

/** The special coupons of a product, at most one a type (`docs/interface.md` 9.3). */
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
 * the type is its id (`docs/interface.md` 9.3). 404 when there is no such coupon.
 */
export async function makeSpecial(
  ctx: TxContext,
  scope: Scope,
  { coupon_id: couponId, special_id: type }: Purpose,
): Promise<CouponEntity> {
  if (!(await holdReadable(ctx.db, scope, couponId))) throw notFound('coupon')
  const before = await takePlace(ctx, scope, { coupon_id: couponId, special_id: type })
  const [special] = await listSpecial(ctx.db, scope, type)
  if (!special) throw new Error('A special coupon that was written is there.')
  if (before === couponId) return presentSpecial(special)
  const from = before === null ? null : { special: type, coupon_id: String(before) }
  await recordEvent(ctx, scope, {
    type: 'coupon.updated',
    data: { coupon_id: String(couponId), from, to: { special: type, coupon_id: String(couponId) } },
  })
  return presentSpecial(special)
}

/** The coupon that had the purpose until now, null when none had; whoever comes at the same time waits. */
async function takePlace(
  ctx: TxContext,
  scope: Scope,
  { coupon_id, special_id: type }: Purpose,
): Promise<number | null> {
  const created = ctx.clock.now()
  const row = { product_id: scope.productId, coupon_id, type, created, updated: null }
  for (;;) {
    if (await insertSpecial(ctx.db, row)) return null
    const held = await lockSpecial(ctx.db, scope, type)
    // Undefined when the purpose ended between the two statements: then it is free again.
    if (!held) continue
    if (held.coupon_id !== coupon_id) await replaceSpecial(ctx.db, scope, row)
    return held.coupon_id
  }
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
