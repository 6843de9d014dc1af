import fc from 'fast-check'
import { CURRENCIES, MAX_PRICE, type Currency } from '../src/lib/money.ts'
import { addMonths } from '../src/lib/periods.ts'
import { fixedOff, MILLION, percentageOff, type Discount } from '../src/sales/quotes/quote.ts'
import { DAY, fromUtcTime, toUtcTime } from '../src/lib/time.ts'
import { amountOff, type Candidate } from '../src/sales/coupons/evaluate.ts'

const at = (ms: number) => toUtcTime(ms)

const anyCoupon: Candidate = {
  id: 1,
  product_id: 1,
  discount_type: 'percentage',
  discount: 0,
  discount_eur: null,
  discount_gbp: null,
  plans: null,
  licenses: null,
  billing_cycles: null,
  user_type: 'all',
  start_date: at(0),
  end_date: at(DAY),
  redemptions: 0,
  sandbox_redemptions: 0,
  redemptions_limit: null,
  has_addons_discount: false,
  is_one_per_user: false,
  is_active: true,
}

/** Minor units; small ones often, for there rounding weighs most. */
export const amounts = fc.oneof(fc.nat(200), fc.nat(MAX_PRICE * 100))
export const currencies = fc.constantFrom(...CURRENCIES)
/** Millionths. */
export const taxRates = fc.oneof(fc.constantFrom(0, 55_000, 190_000, 200_000, 255_000), fc.nat(MILLION))

/** What a coupon takes off in each currency, as the server works it out. */
export const couponOff =
  (coupon: Pick<Candidate, 'discount_type' | 'discount'> & Partial<Candidate>) =>
  (currency: Currency): Discount =>
  (price) =>
    amountOff({ ...anyCoupon, ...coupon }, { price, currency })

/** What some coupon takes off, or none. */
export const coupons: fc.Arbitrary<((currency: Currency) => Discount) | null> = fc.option(
  fc
    .record({
      discount_type: fc.constantFrom('percentage' as const, 'dollar' as const),
      percent: fc.nat(100),
      dollars: amounts,
      discount_eur: fc.option(amounts),
      discount_gbp: fc.option(amounts),
    })
    .map(({ percent, dollars, ...rest }) => {
      const discount = rest.discount_type === 'percentage' ? percent : dollars
      return couponOff({ ...rest, discount })
    }),
)

export const renewalsDiscounts = fc.option(fc.oneof(fc.nat(10_000).map(percentageOff), amounts.map(fixedOff)))

/** A period of a subscription that keeps its anchor, and a moment before, in or after it. */
export const periods = fc
  .record({
    anchor: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
    index: fc.nat(120),
    months: fc.constantFrom(1, 12),
    passed: fc.oneof(fc.constant(0), fc.integer({ min: -DAY, max: 400 * DAY })),
  })
  .map(({ anchor, index, months, passed }) => {
    const from = addMonths(at(anchor), index * months)
    const to = addMonths(at(anchor), (index + 1) * months)
    return { from, to, now: at(fromUtcTime(from) + passed) }
  })
