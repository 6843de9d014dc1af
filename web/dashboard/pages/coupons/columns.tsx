import type { Coupon } from '../../../../src/sales/coupons/schema.ts'
import { fill } from '../../../shared/language.ts'
import { decimalText, numberText, State } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'

/** Whether a coupon is taken. */
export const CouponState = ({ is_active }: Pick<Coupon, 'is_active'>) =>
  is_active ? <State word={texts.active} tone="good" /> : <State word={texts.inactive} tone="plain" />

/** What it takes off: a share, or an amount in the currency of the price. */
export const discountText = ({
  discount,
  discount_type: type,
}: Pick<Coupon, 'discount' | 'discount_type'>) =>
  type === 'percentage' ? `${numberText(discount ?? 0)} %` : decimalText(discount ?? 0)

export const usedText = ({
  redemptions,
  redemptions_limit: limit,
}: Pick<Coupon, 'redemptions' | 'redemptions_limit'>): string =>
  fill(texts.ofQuota, { used: redemptions ?? 0, quota: limit ?? '∞' })
