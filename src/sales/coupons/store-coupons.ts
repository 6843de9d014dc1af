import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { CouponScope } from './service.ts'
import { getStore } from '../../catalogue/stores/service.ts'

/** The scope of a store's own coupons, which count for all its products; 404 when it is not the developer's. */
export async function storeCoupons(ctx: ReadContext, scope: Scope, storeId: number): Promise<CouponScope> {
  await getStore(ctx, scope, storeId)
  return { ...scope, ofStore: storeId }
}
