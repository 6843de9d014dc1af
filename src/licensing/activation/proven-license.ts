import type { TxContext } from '../../context.ts'
import { markProven } from '../licenses/license-rows.ts'
import type { LicenseRow } from '../licenses/schema.ts'

/**
 * Notes that what was got for nothing for an address that was typed is its owner's, as who has its mailed key has used
 * it, or as it was paid for: it was bought, and has used up its coupon. Of the bundle that opened a license, too.
 */
export async function noteProven(
  ctx: TxContext,
  { id, parent_license_id: parentId }: Pick<LicenseRow, 'id' | 'parent_license_id'>,
): Promise<void> {
  const proven = await markProven(ctx.db, [id, parentId ?? id])
  if (proven.length > 0) await ctx.hooks.sales.countGifts(ctx, proven)
}
