import { addNoteToCoupon } from '../src/sales/notes/coupon-notes.ts'
import type { TxContext } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import type { CouponCreate } from '../src/sales/coupons/input-schema.ts'
import { createCoupon } from '../src/sales/coupons/service.ts'
import { makeSpecial } from '../src/sales/coupons/special.ts'
import type { Owned } from './catalogue.ts'

/** Half the price, for everybody and at any time. */
const HALF: CouponCreate = {
  code: 'HALF',
  discount: 50,
  discount_type: 'percentage',
  user_type: 'all',
  has_renewals_discount: false,
  has_addons_discount: false,
  is_one_per_user: false,
  is_active: true,
}

/** A coupon of the product with a note and a special purpose, and a coupon of its store: their ids by parameter. */
export async function createCoupons(
  tx: TxContext,
  owner: Owned,
  { isSpecial = true }: { readonly isSpecial?: boolean } = {},
): Promise<Readonly<Record<string, string>>> {
  const scope = systemScope(owner)
  const ofProduct = await createCoupon(tx, scope, HALF)
  const ofStore = await createCoupon(tx, { ...scope, productId: 0, ofStore: owner.storeId }, HALF)
  const couponId = Number(ofProduct.id)
  await addNoteToCoupon(tx, scope, couponId, { note: 'For the spring sale.' })
  if (isSpecial) await makeSpecial(tx, scope, { coupon_id: couponId, special_id: 'exit_intent' })
  return { coupon_id: ofProduct.id, special_id: 'exit_intent', store_coupon_id: ofStore.id }
}
