import type { TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import {
  appliedCoupon,
  type Asked,
  type CheckoutRow,
  emailOf,
  factsOfBuyer,
  guard,
  hasGuard,
  isProvenBuyer,
  isUnprovenGift,
  PAYING_HELD_MS,
  type Priced,
  unguard,
} from '../checkouts/front/show.ts'
import {
  asksOfPast,
  guardsFor,
  refusalOfBuyer,
  type BuyerRefusal,
  type CouponRefusal,
  type Guard,
} from './evaluate.ts'
import { findTakenCoupon } from './coupon-rows.ts'
import { redeemedWith } from './redemption-queries.ts'
import { countRedemption } from './redemption-rows.ts'
import { giveBackUnproven } from './redemptions.ts'
import type { CouponRow } from './schema.ts'
import { cancelLicense } from '../../licensing/licenses/cancel-license.ts'
import { holdLicenses } from '../../licensing/activation/license-on-install.ts'

type Guarded = Pick<
  CheckoutRow,
  'id' | 'product_id' | 'environment' | 'email' | 'user_id' | 'is_readonly' | 'is_hidden'
>

/**
 * Keeps the coupon of a price for this checkout while it is paid, and takes one of its redemptions. What the coupon
 * asks of the past of its buyer is asked once no other checkout can change it. 400 with the reason of the coupon; of a
 * buyer who has proven nothing `coupon_not_applicable`, whatever of its past it is (`docs/decisions.md` 3.14).
 */
export async function guardCoupon(tx: TxContext, scope: Scope, row: Guarded, priced: Priced): Promise<void> {
  const coupon = appliedCoupon(priced)
  if (!coupon) return
  const withUnproven = isUnprovenGift(row, priced)
  const reason = await refusalOfPast(tx, scope, row, { coupon, withUnproven })
  if (reason !== null) throw refusedCoupon(isProvenBuyer(row) ? reason : 'coupon_not_applicable')
  if (!(await countRedemption(tx.db, scope, { ...row, couponId: coupon.id }))) {
    throw invalid('coupon_used_up', 'This coupon has no redemptions left.')
  }
}

/** Null: this checkout alone has what the coupon asks of the past of its buyer. */
async function refusalOfPast(
  tx: TxContext,
  scope: Scope,
  row: Guarded,
  { coupon, withUnproven }: { readonly coupon: CouponRow; readonly withUnproven: boolean },
): Promise<BuyerRefusal | null> {
  if (!asksOfPast(coupon)) return null
  const now = tx.clock.real()
  for (const { reason, ...own } of await guardsOf(tx, scope, row, coupon)) {
    if (!(await guard(tx.db, own, now, isProvenBuyer(row)))) return reason
  }
  return refusalOfBuyer(coupon, await factsOfBuyer(tx, scope, row, { withUnproven }))
}

/**
 * Ends what was got for nothing with a coupon for the address of a buyer who has proven to have it and uses the coupon
 * now: whoever has typed the address used up neither the coupon nor its count. False where the key of such a license
 * was used meanwhile, as the buyer has used the coupon with it (`docs/decisions.md` 3.19). Both hold the license.
 */
async function takesPlaceOfGifts(
  tx: TxContext,
  scope: Scope,
  { user_id: userId, environment }: CheckoutRow,
  coupon: CouponRow,
): Promise<boolean> {
  if (userId === null || !coupon.is_one_per_user) return true
  const redeemed = await redeemedWith(tx.db, { couponId: coupon.id, environment }, userId)
  const gifts = await holdLicenses(tx, redeemed)
  if (redeemed.includes(null) || gifts.some((gift) => gift?.is_unproven === false)) return false
  for (const gift of gifts) {
    if (!gift) continue
    const within = wholeProduct(scope, gift.product_id)
    await giveBackUnproven(tx, within, gift.id)
    await cancelLicense(tx, within, gift.id, {})
  }
  return true
}

/**
 * Whether a checkout that is being paid has its coupon still: a buyer who has proven nothing loses it to the one who
 * has and uses it meanwhile, so that nobody keeps an owner from it by typing the address. What was taken and let go
 * again is judged anew. Of the one who has, what was got for nothing with the coupon ends. Whoever asks holds the
 * checkout.
 */
export async function keepsCoupon(tx: TxContext, { scope, checkout, kept }: Asked): Promise<boolean> {
  const coupon = kept.couponId === null ? undefined : await findTakenCoupon(tx.db, kept.couponId)
  if (coupon && isProvenBuyer(checkout)) return takesPlaceOfGifts(tx, scope, checkout, coupon)
  const now = tx.clock.real()
  let isAnew = false
  for (const { reason: _reason, ...own } of coupon ? await guardsOf(tx, scope, checkout, coupon) : []) {
    if (await hasGuard(tx.db, own, now)) continue
    if (!(await guard(tx.db, own, now))) return false
    isAnew = true
  }
  if (!coupon || !isAnew) return true
  const withUnproven = isUnprovenGift(checkout, kept)
  return refusalOfBuyer(coupon, await factsOfBuyer(tx, scope, checkout, { withUnproven })) === null
}

/** Lets go of the coupon of what was bought: the purchase and the redemption stand for it from then on. */
export const unguardCoupon = (
  { db }: TxContext,
  checkout: Pick<Guarded, 'id' | 'product_id' | 'environment'>,
  couponId: number,
) =>
  unguard(
    db,
    checkout.id,
    Object.values(NAMES).map((nameOf) => nameOf(checkout, couponId)),
  )

/** What an address has under way once, with the reason why it has it no second time. */
async function guardsOf(tx: TxContext, scope: Scope, row: Guarded, coupon: CouponRow) {
  const guards = guardsFor(coupon)
  if (guards.length === 0) return []
  const email_folded = fold(await emailOf(tx, scope, row))
  return guards.map(({ of, reason }) => ({
    name: NAMES[of](row, coupon.id),
    reason,
    email_folded,
    checkout_id: row.id,
    forMs: PAYING_HELD_MS,
  }))
}

/** What an address pays one at a time, as the guard of it is named. */
const NAMES: Readonly<
  Record<Guard['of'], (row: Pick<Guarded, 'product_id' | 'environment'>, couponId: number) => string>
> = {
  /** One for all coupons, as the first purchase ends what each of them asks. */
  product: ({ product_id: productId, environment }) => `first:${productId}:${environment}`,
  /** Also of a coupon of a store, in whichever of its products. */
  coupon: ({ environment }, couponId) => `coupon:${couponId}:${environment}`,
}

/** 400 with why a coupon takes nothing off. */
export const refusedCoupon = (reason: CouponRefusal) =>
  reason === 'coupon_already_used'
    ? invalid(reason, 'You have used this coupon already.')
    : invalid(reason, 'This coupon takes nothing off this purchase.')
