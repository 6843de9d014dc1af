import { invalidFields } from '../../lib/errors.ts'
import type { Currency } from '../../lib/money.ts'
import type { OfferRow } from './queries.ts'
import { CYCLE_NAMES, type CheckoutChange, type CycleName } from './schema.ts'

type Cycle = (typeof CYCLE_NAMES)[CycleName]

/** A price of a plan, and how often it is paid. */
export interface Offer {
  readonly price: OfferRow
  readonly cycle: Cycle
}

export type OfferChoice = Pick<
  CheckoutChange,
  'plan_id' | 'pricing_id' | 'licenses' | 'billing_cycle' | 'currency'
>

/** What is chosen already, or else what a checkout begins with. */
export interface Chosen {
  readonly planId: number | null
  /** Null: unlimited. */
  readonly licenses: number | null
  readonly cycle: Cycle
  readonly currency: Currency
}

/** Where a cycle is not sold: the next longer one, then the shorter ones. */
const FALLBACKS: Readonly<Record<Cycle, readonly Cycle[]>> = { 12: [12, 1, 0], 1: [1, 12, 0], 0: [0, 12, 1] }

/**
 * The price that a buyer chose among those of a product (`docs/interface.md` 8.2): what is not chosen stays, and
 * without a plan the cheapest visible one is taken. A cycle or currency that nobody named and that is not sold gives
 * way to another one. 400 with the field for what is not sold.
 */
export function chooseOffer(prices: readonly OfferRow[], before: Chosen, choice: OfferChoice): Offer {
  const currency = choice.currency === 'auto' ? undefined : choice.currency
  const sold = soldOf(prices, before, choice)
  if (sold.length === 0)
    throw refused(choice.plan_id === undefined ? 'product_id' : 'plan_id', 'is not for sale')
  const inCurrency = sold.filter((price) => price.currency === (currency ?? before.currency))
  if (inCurrency.length === 0 && currency !== undefined) throw refused('currency', 'is none of the prices')
  const ofCurrency = inCurrency.length > 0 ? inCurrency : sold
  const licenses = choice.licenses === undefined ? before.licenses : licensesOf(choice.licenses)
  const ofCount = ofCurrency.filter((price) => price.licenses === licenses)
  if (ofCount.length === 0 && choice.licenses !== undefined) throw refused('licenses', 'is not sold')
  return cheapest(ofCount.length > 0 ? ofCount : ofCurrency, before.cycle, choice.billing_cycle)
}

/** Null: unlimited. */
export const licensesOf = (told: string | number): number | null =>
  told === 'unlimited' ? null : Number(told)

/** The price of a cycle, in minor units; null: not sold. */
export const priceOf = (price: OfferRow, cycle: Cycle): number | null =>
  ({ 1: price.monthly_price, 12: price.annual_price, 0: price.lifetime_price })[cycle]

/** The cycle that a price is sold by in the place of another one; that one where it is sold. */
export const cycleSoldAt = (price: OfferRow, wanted: Cycle): Cycle =>
  FALLBACKS[wanted].find((cycle) => priceOf(price, cycle) !== null) ?? wanted

function soldOf(prices: readonly OfferRow[], before: Chosen, choice: OfferChoice): readonly OfferRow[] {
  if (choice.pricing_id !== undefined) {
    const [named] = prices.filter(({ id }) => id === choice.pricing_id)
    const isOfPlan = choice.plan_id === undefined || named?.plan_id === choice.plan_id
    if (!named || !isOfPlan) throw refused('pricing_id', 'is no price of the plan')
    return [named]
  }
  const planId = choice.plan_id ?? before.planId
  if (planId !== null) return prices.filter((price) => price.plan_id === planId)
  return prices.filter((price) => !price.is_hidden && !price.is_plan_hidden)
}

function cheapest(prices: readonly OfferRow[], before: Cycle, name: CycleName | undefined): Offer {
  const cycles = name === undefined ? FALLBACKS[before] : [CYCLE_NAMES[name]]
  for (const cycle of cycles) {
    const [first] = prices
      .filter((price) => priceOf(price, cycle) !== null)
      .toSorted((a, b) => (priceOf(a, cycle) ?? 0) - (priceOf(b, cycle) ?? 0) || a.id - b.id)
    if (first) return { price: first, cycle }
  }
  throw refused('billing_cycle', 'is not sold at this price')
}

const refused = (field: string, message: string) => invalidFields([{ field, message }])
