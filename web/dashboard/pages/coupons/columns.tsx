import type { Coupon } from '../../../../src/sales/coupons/schema.ts'
import { fill } from '../../../shared/language.ts'
import { amountText, numberText, State, Time } from '../../format.tsx'
import { texts } from '../../texts/texts.ts'
import { endOf } from './form.ts'

/** Whether a coupon is taken. */
export const CouponState = ({ is_active }: Pick<Coupon, 'is_active'>) =>
  is_active ? <State word={texts.active} tone="good" /> : <State word={texts.inactive} tone="plain" />

/** When it ends. */
export function CouponEnd(coupon: Pick<Coupon, 'end_date'>) {
  const end = endOf(coupon)
  return end === null ? texts.never : <Time time={end} />
}

/** What it takes off: a share, or an amount, which a list has in US dollars. */
export const discountText = ({
  discount,
  discount_type: type,
}: Pick<Coupon, 'discount' | 'discount_type'>) =>
  type === 'percentage' ? `${numberText(discount ?? 0)} %` : amountText(discount ?? 0, 'usd')

export const usedText = ({
  redemptions,
  redemptions_limit: limit,
}: Pick<Coupon, 'redemptions' | 'redemptions_limit'>): string =>
  fill(texts.ofQuota, { used: redemptions ?? 0, quota: limit ?? '∞' })
