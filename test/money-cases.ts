import fc from 'fast-check'
import { CURRENCIES, MAX_PRICE, type Currency } from '../src/lib/money.ts'
import { addMonths } from '../src/lib/periods.ts'
import { fixedOff, MILLION, percentageOff, type Discount } from '../src/sales/quotes/quote.ts'
import { DAY, fromUtcTime, toUtcTime } from '../src/lib/time.ts'
import { amountOff } from '../src/sales/coupons/evaluate.ts'

type Discounted = Parameters<typeof amountOff>[0]

/** The euros and pounds of a coupon that has no amount of its own for them. */
const AS_DOLLARS = { discount_eur: null, discount_gbp: null }

/** Minor units; small ones often, for there rounding weighs most. */
export const amounts = fc.oneof(fc.nat(200), fc.nat(MAX_PRICE * 100))
export const currencies = fc.constantFrom(...CURRENCIES)
/** Millionths. */
export const taxRates = fc.oneof(fc.constantFrom(0, 55_000, 190_000, 200_000, 255_000), fc.nat(MILLION))

/** What a coupon takes off in each currency, as the server works it out. */
export const couponOff =
  (coupon: Pick<Discounted, 'discount_type' | 'discount'> & Partial<Discounted>) =>
  (currency: Currency): Discount =>
  (price) =>
    amountOff({ ...AS_DOLLARS, ...coupon }, { price, currency })

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
    const from = addMonths(toUtcTime(anchor), index * months)
    const to = addMonths(toUtcTime(anchor), (index + 1) * months)
    return { from, to, now: toUtcTime(fromUtcTime(from) + passed) }
  })
