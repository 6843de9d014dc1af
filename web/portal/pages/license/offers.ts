import type { CheckoutProduct } from '../../../../src/sales/pricing-table/checkout-product-schema.ts'
import type { Checkout } from '../../../../src/sales/checkouts/schema.ts'

type Cycle = Checkout['billing_cycle']
const CYCLES: readonly Cycle[] = ['monthly', 'annual', 'lifetime']

/** What somebody would have in the place of what the license has. */
export interface Choice {
  readonly plan: string
  /** Null: unlimited. */
  readonly licenses: number | null
  readonly cycle: Cycle
}

/** A plan with its prices in the currency of the license. */
export interface Offered {
  readonly id: string
  readonly title: string
  readonly prices: readonly { readonly licenses: number | null; readonly cycles: readonly Cycle[] }[]
}

export const choiceOf = ({ plan, licenses, billing_cycle: cycle }: Checkout): Choice => ({
  plan: plan.id,
  licenses,
  cycle,
})

/** What is sold in the place of a license; what it has now is among it, sold or not. */
export function offersOf(product: Pick<CheckoutProduct, 'plans'>, now: Checkout): readonly Offered[] {
  const sold = product.plans.map(({ id, title, pricing = [] }) => ({
    id,
    title,
    prices: pricing
      .filter(({ currency }) => currency === now.currency)
      .map((price) => ({
        licenses: price.licenses,
        cycles: CYCLES.filter((cycle) => price[`${cycle}_price`] !== null),
      }))
      .filter(({ cycles }) => cycles.length > 0),
  }))
  const { plan, licenses, cycle } = choiceOf(now)
  const own = { licenses, cycles: [cycle] }
  const offers = sold.filter(({ prices }) => prices.length > 0)
  const isListed = offers.some(({ id }) => id === plan)
  if (!isListed) return [{ ...now.plan, prices: [own] }, ...offers]
  return offers.map((one) =>
    one.id !== plan || one.prices.some((price) => price.licenses === licenses)
      ? one
      : { ...one, prices: [own, ...one.prices] },
  )
}

/** Another price for life than that of a license, as a checkout is opened for it; undefined: none is sold. */
export function otherOf(
  { plans }: Pick<CheckoutProduct, 'plans'>,
  { plan_id: plan, quota }: { readonly plan_id: string; readonly quota: number | null },
): object | undefined {
  const all = plans.flatMap(({ id, pricing = [] }) => pricing.map((price) => ({ id, price })))
  const other = all.find(
    ({ id, price }) => price.lifetime_price !== null && (id !== plan || price.licenses !== quota),
  )
  return (
    other && {
      plan_id: other.id,
      licenses: licensesText(other.price.licenses),
      billing_cycle: 'lifetime',
      currency: other.price.currency,
    }
  )
}

/** Another plan, with what was chosen beside it as far as it is sold there. */
export function inPlan(offers: readonly Offered[], plan: string, before: Choice): Choice {
  const prices = offers.find(({ id }) => id === plan)?.prices ?? []
  const price = prices.find(({ licenses }) => licenses === before.licenses) ?? prices[0]
  if (!price) return before
  return withCycle({ plan, licenses: price.licenses, cycle: before.cycle }, price.cycles)
}

/** Another number in the same plan. */
export function withLicenses(offers: readonly Offered[], before: Choice, licenses: number | null): Choice {
  const prices = offers.find(({ id }) => id === before.plan)?.prices ?? []
  const price = prices.find((one) => one.licenses === licenses)
  return price ? withCycle({ ...before, licenses }, price.cycles) : before
}

const withCycle = (choice: Choice, cycles: readonly Cycle[]): Choice =>
  cycles.includes(choice.cycle) ? choice : { ...choice, cycle: cycles[0] ?? choice.cycle }

/** As calls about a checkout name it. */
export const licensesText = (licenses: number | null): string =>
  licenses === null ? 'unlimited' : String(licenses)

export const isSame = (one: Choice, other: Choice): boolean =>
  one.plan === other.plan && one.licenses === other.licenses && one.cycle === other.cycle
