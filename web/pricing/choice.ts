import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'

export type Plan = CheckoutProduct['plans'][number]
export type Pricing = NonNullable<Plan['pricing']>[number]

export const CYCLES = ['monthly', 'annual', 'lifetime'] as const
export type Cycle = (typeof CYCLES)[number]

/** What a visitor looks at: in which currency, paid how, for how many. */
export interface Choice {
  readonly currency: string
  readonly cycle: Cycle
  /** Null: any number. */
  readonly licenses: number | null
}

const amountOf = (pricing: Pricing, cycle: Cycle): number | null => pricing[`${cycle}_price`]

const pricesOf = (plans: readonly Plan[]): readonly Pricing[] => plans.flatMap(({ pricing = [] }) => pricing)

/** What there is to choose from; `any` number comes last. */
export function choicesOf(plans: readonly Plan[]) {
  const all = pricesOf(plans)
  const counts = [...new Set(all.map(({ licenses }) => licenses))]
  return {
    currencies: [...new Set(all.map(({ currency }) => currency))],
    cycles: CYCLES.filter((cycle) => all.some((one) => amountOf(one, cycle) !== null)),
    counts: counts.toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity)),
  }
}

/** What a plan costs as chosen; null: it is not sold like that. */
export function priceFor({ pricing = [] }: Plan, { currency, cycle, licenses }: Choice): number | null {
  const found = pricing.find((one) => one.currency === currency && one.licenses === licenses)
  return found ? amountOf(found, cycle) : null
}

interface Wanted {
  readonly currency: string | null
  readonly cycle: string | null
  readonly licenses: string | null
}

/** What is shown first: as an address asks for, else by the year, for one, in the first currency that is sold so. */
export function firstChoice(plans: readonly Plan[], wanted: Wanted): Choice {
  const { currencies, cycles, counts } = choicesOf(plans)
  const usual = cycles.includes('annual') ? 'annual' : (cycles[0] ?? 'annual')
  const count = wanted.licenses === 'unlimited' ? null : Number(wanted.licenses ?? 1)
  return {
    currency: currencies.find((one) => one === wanted.currency?.toLowerCase()) ?? currencies[0] ?? 'usd',
    cycle: cycles.find((one) => one === wanted.cycle) ?? usual,
    licenses: counts.includes(count) ? count : (counts[0] ?? 1),
  }
}

/** The least that a year costs less than twelve months, of all plans that are sold both ways; null: nothing less. */
export function savingOf(plans: readonly Plan[], choice: Choice): number | null {
  const savings = plans.flatMap((plan) => {
    const month = priceFor(plan, { ...choice, cycle: 'monthly' })
    const year = priceFor(plan, { ...choice, cycle: 'annual' })
    return month === null || year === null || month === 0 ? [] : [1 - year / (month * 12)]
  })
  const least = Math.min(...savings)
  return Number.isFinite(least) && least >= 0.01 ? Math.floor(least * 100) / 100 : null
}

/** The count of licenses at which one of a plan costs the least, where that is another than the chosen one. */
export function cheapestCount(plan: Plan, choice: Choice): number | null {
  const each = (plan.pricing ?? []).flatMap((one) => {
    const amount = one.currency === choice.currency ? amountOf(one, choice.cycle) : null
    return amount === null || one.licenses === null
      ? []
      : [{ count: one.licenses, each: amount / one.licenses }]
  })
  const [best, ...others] = each.toSorted((a, b) => a.each - b.each)
  return best && others.some((one) => one.each > best.each) ? best.count : null
}
