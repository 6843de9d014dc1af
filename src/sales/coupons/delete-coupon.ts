import type { TxContext } from '../../context.ts'
import { removeCoupon, type CouponScope } from './service.ts'
import { deleteSpecialOf } from './special-queries.ts'
import { deleteNotesOf } from '../../people/notes/note-rows.ts'

/**
 * Deletes a coupon with its notes and its special purposes. Its row and its redemptions stay, so that
 * payments, subscriptions and carts can name it; nothing else finds it. 404 when there is none.
 */
export async function deleteCoupon(ctx: TxContext, scope: CouponScope, id: number): Promise<void> {
  await removeCoupon(ctx, scope, id)
  await deleteSpecialOf(ctx.db, id)
  await deleteNotesOf(ctx.db, { type: 'coupon', id })
}
