import type { TxContext } from '../../context.ts'
import type { Owner } from '../../db/scoped.ts'
import { deleteUnprovenRedemptions, insertRedemption } from './redemption-queries.ts'
import { uncountRedemption, type Counted } from './redemption-rows.ts'

/**
 * Writes down a redemption that was counted; the count is given back, and false answered, where the user has redeemed the
 * coupon meanwhile. `unprovenId`: the license that it came with, where that was got for nothing for an address that was
 * typed.
 */
export async function writeRedemption(
  ctx: TxContext,
  owner: Owner,
  {
    userId,
    unprovenId = null,
    ...counted
  }: Counted & { readonly userId: number; readonly unprovenId?: number | null },
): Promise<boolean> {
  const redemption = await insertRedemption(ctx.db, {
    product_id: owner.productId,
    coupon_id: counted.couponId,
    environment: counted.environment,
    user_id: userId,
    license_id: unprovenId,
    created: ctx.clock.now(),
  })
  if (!redemption) await uncountRedemption(ctx.db, owner, counted)
  return redemption !== undefined
}

/** Gives back the redemptions that came with a license which was got for nothing, before the license is erased. */
export async function giveBackUnproven(ctx: TxContext, owner: Owner, licenseId: number): Promise<void> {
  for (const counted of await deleteUnprovenRedemptions(ctx.db, licenseId)) {
    await uncountRedemption(ctx.db, owner, counted)
  }
}
