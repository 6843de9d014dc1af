import { useQuery } from '@tanstack/react-query'
import type { ListedCoupon } from '../../../../src/sales/coupons/schema.ts'
import { fill } from '../../../shared/language.ts'
import type { Field, Values } from '../../form.tsx'
import { cycleText } from '../../format.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { useUnit } from '../../unit.ts'

/** As every coupon without an end has it. */
const NO_END = '9999-12-31 23:59:59'

/** When a coupon ends; null: never. */
export const endOf = ({ end_date: end }: Pick<ListedCoupon, 'end_date'>): string | null =>
  end === NO_END ? null : end

const CYCLES = [1, 12, 0].map((cycle) => [String(cycle), cycleText(cycle)] as const)
const OTHERS = ['eur', 'gbp'] as const
const amountField = (currency: string) => `discounts.${currency}`

/** Every field of a coupon, of the plans that the product has. */
export function useCouponFields(): readonly Field[] {
  const { many } = useUnit()
  const { path } = usePlace()
  const { data: plans = [] } = useQuery(plansQuery(path))
  return [
    { name: 'code', label: texts.couponCode, help: texts.couponCodeHelp },
    {
      name: 'discount_type',
      label: texts.couponType,
      kind: 'choice',
      options: [
        ['percentage', texts.percentOff],
        ['dollar', texts.amountOff],
      ],
    },
    { name: 'discount', label: texts.couponDiscount, help: texts.couponDiscountHelp, kind: 'number' },
    ...OTHERS.map((currency): Field => ({
      name: amountField(currency),
      label: fill(texts.couponIn, { currency: currency.toUpperCase() }),
      help: texts.couponInHelp,
      kind: 'number',
    })),
    { name: 'start_date', label: texts.couponStart, help: texts.couponStartHelp, empty: null },
    { name: 'end_date', label: texts.couponEnd, help: texts.couponEndHelp, empty: null },
    { name: 'redemptions_limit', label: texts.couponLimit, help: texts.couponLimitHelp, kind: 'number' },
    {
      name: 'user_type',
      label: texts.couponFor,
      kind: 'choice',
      options: Object.entries(texts.userTypes),
    },
    {
      name: 'plans',
      label: texts.couponPlans,
      help: texts.couponAll,
      kind: 'many',
      empty: null,
      options: plans.map(({ id, title }) => [id, title]),
    },
    {
      name: 'billing_cycles',
      label: texts.couponCycles,
      help: texts.couponAll,
      kind: 'many',
      empty: null,
      options: CYCLES,
    },
    {
      name: 'licenses',
      label: fill(texts.couponSites, { units: many }),
      help: texts.couponSitesHelp,
      empty: null,
    },
    { name: 'has_renewals_discount', label: texts.onRenewals, kind: 'flag' },
    { name: 'has_addons_discount', label: texts.onAddons, kind: 'flag' },
    { name: 'is_one_per_user', label: texts.oncePerCustomer, kind: 'flag' },
    { name: 'is_active', label: texts.active, kind: 'flag' },
  ]
}

/** A coupon that nothing was said of. */
export const NEW_COUPON: Values = { is_active: true, user_type: 'all' }

/** A coupon as its form has it: amounts by currency are fields of their own. */
export const shownCoupon = (coupon: ListedCoupon): Values => ({
  ...coupon,
  end_date: endOf(coupon),
  ...Object.fromEntries(OTHERS.map((currency) => [amountField(currency), coupon.discounts?.[currency]])),
})

/** What was changed, as the interface takes it: amounts of other currencies stand together. */
export function sentCoupon(changed: Record<string, unknown>): Record<string, unknown> {
  const amounts = OTHERS.filter((currency) => amountField(currency) in changed)
  const rest = Object.fromEntries(Object.entries(changed).filter(([name]) => !name.startsWith('discounts.')))
  if (amounts.length === 0) return rest
  return {
    ...rest,
    discounts: Object.fromEntries(amounts.map((currency) => [currency, changed[amountField(currency)]])),
  }
}
