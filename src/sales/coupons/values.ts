import type { FieldError } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { toMinor } from '../../lib/money.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import type { UtcTime } from '../../lib/time.ts'
import { NO_END, type CouponUpdate } from './input-schema.ts'
import { discountOf, type CouponRow } from './schema.ts'

/** The columns that a caller may write. */
export type CouponValues = Omit<
  CouponRow,
  | 'id'
  | 'product_id'
  | 'store_id'
  | 'redemptions'
  | 'sandbox_redemptions'
  | 'source'
  | 'deleted_at'
  | 'created'
  | 'updated'
>

/** The coupon of a request that says nothing; what a new one must say is asked for by its schema. */
const EMPTY: CouponValues = {
  code: '',
  code_folded: '',
  discount_type: 'percentage',
  discount: 0,
  discount_eur: null,
  discount_gbp: null,
  plans: null,
  licenses: null,
  billing_cycles: null,
  user_type: 'all',
  start_date: NO_END,
  end_date: NO_END,
  redemptions_limit: null,
  has_renewals_discount: 0,
  has_addons_discount: 0,
  is_one_per_user: 0,
  is_active: 1,
}

/** The values of a new coupon, which begins `now` unless it says when. */
export const newValues = (input: CouponUpdate, now: UtcTime): CouponValues =>
  changedValues({ ...EMPTY, start_date: now }, input, now)

/** The values before with what was given in their place; the number of a discount keeps its meaning for people. */
export function changedValues(before: CouponValues, input: CouponUpdate, now: UtcTime): CouponValues {
  const code = (input.code ?? before.code).trim()
  return {
    code,
    code_folded: fold(code),
    ...discountValues(before, input),
    plans: listText(input.plans, before.plans),
    licenses: listText(input.licenses, before.licenses),
    billing_cycles: listText(input.billing_cycles, before.billing_cycles),
    user_type: input.user_type ?? before.user_type,
    start_date: input.start_date === undefined ? before.start_date : startOf(input.start_date, now),
    end_date: input.end_date === undefined ? before.end_date : endOf(input.end_date),
    redemptions_limit: kept(input.redemptions_limit, before.redemptions_limit),
    has_renewals_discount: flagOf(input.has_renewals_discount, before.has_renewals_discount),
    has_addons_discount: flagOf(input.has_addons_discount, before.has_addons_discount),
    is_one_per_user: flagOf(input.is_one_per_user, before.is_one_per_user),
    is_active: flagOf(input.is_active, before.is_active),
  }
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

const kept = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given)

const flagOf = (given: boolean | undefined, stored: 0 | 1) => (given === undefined ? stored : given ? 1 : 0)

function listText(given: string | null | undefined, stored: string | null): string | null {
  if (given === undefined) return stored
  return (given === null ? [] : (parseNumberList(given) ?? [])).join(',') || null
}

const startOf = (text: string | null, now: UtcTime) =>
  text === null ? now : (parseTimeText(text, 'first second') ?? now)

const endOf = (text: string | null) =>
  text === null ? NO_END : (parseTimeText(text, 'last second') ?? NO_END)
