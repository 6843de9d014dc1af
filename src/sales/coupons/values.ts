import type { FieldError } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { toMinor } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import { COUPON, discountOf } from './coupon.entity.ts'
import type { CouponUpdate } from './input-schema.ts'
import type { CouponRow } from './schema.ts'

/** What a caller says of a coupon, with what follows from it. */
type CouponValues = Pick<
  CouponRow,
  keyof typeof COUPON.update | 'code_folded' | 'discount_eur' | 'discount_gbp'
>

/** The coupon of a request that says nothing; what a new one must say is asked for by its schema. */
const EMPTY = {
  ...COUPON.initial,
  code: '',
  code_folded: '',
  discount_type: 'percentage' as const,
  discount: 0,
}

/** The values of a new coupon, which begins `now` unless it says when. */
export const newValues = (input: CouponUpdate, now: UtcTime) =>
  changedValues({ ...EMPTY, start_date: now }, input, now)

/** The values before with what was given in their place; the number of a discount keeps its meaning for people. */
export function changedValues<V extends CouponValues>(before: V, input: CouponUpdate, now: UtcTime): V {
  const dated = input.start_date === null ? { ...input, start_date: now } : input
  const after = { ...before, ...COUPON.columns(COUPON.read('update', dated)) }
  return { ...after, code_folded: fold(after.code), ...discountValues(before, input) }
}

/** A number that is given or stays is percent or whole units, so 20 dollars off become 20 percent off. */
function discountValues(before: CouponValues, { discount, discount_type, discounts }: CouponUpdate) {
  const type = discount_type ?? before.discount_type
  const amount = discount ?? discounts?.usd ?? discountOf(before)
  if (type === 'percentage')
    return { discount_type: type, discount: amount, discount_eur: null, discount_gbp: null }
  const inCurrency = (given: number | null | undefined, stored: number | null) =>
    given === undefined ? stored : given === null ? null : toMinor(given)
  return {
    discount_type: type,
    discount: toMinor(amount),
    discount_eur: inCurrency(discounts?.eur, before.discount_eur),
    discount_gbp: inCurrency(discounts?.gbp, before.discount_gbp),
  }
}

/** What no single field says wrong: every rule that the values break, by the field that was given. */
export const problemsOf = (values: CouponValues, input: CouponUpdate): FieldError[] => [
  ...amountProblems(values, input),
  ...dateProblems(values, input),
]

function amountProblems({ discount_type, discount }: CouponValues, input: CouponUpdate): FieldError[] {
  const { usd, eur, gbp } = input.discounts ?? {}
  const isOther = typeof usd === 'number' && input.discount !== undefined && usd !== input.discount
  const other = isOther ? [problem('discounts.usd', 'must be the same as discount')] : []
  if (discount_type === 'dollar') return other
  const hasAmounts = [usd, eur, gbp].some((amount) => typeof amount === 'number')
  return [
    ...(discount > 100 ? [problem('discount', 'must be at most 100 as a percentage')] : []),
    ...(hasAmounts ? [problem('discounts', 'are for discount_type dollar')] : other),
  ]
}

function dateProblems(values: CouponValues, input: CouponUpdate): FieldError[] {
  if (values.end_date > values.start_date) return []
  return input.end_date === undefined && input.start_date !== undefined
    ? [problem('start_date', 'must be before end_date')]
    : [problem('end_date', 'must be after start_date')]
}

const problem = (field: string, message: string): FieldError => ({ field, message })
