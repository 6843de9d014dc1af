import { MILLION } from '../quotes/quote.ts'
import { fromUtcTime, type UtcTime } from '../../lib/time.ts'

/** Standard rates at any time, and which countries form the union of the VAT. */
export interface TaxRates {
  /** Millionths, that of the region (`CA` of `US`) added; null when none is known. Codes in upper case. */
  rateOf(place: { readonly country: string; readonly region: string | null }, at: UtcTime): number | null
  isInUnion(country: string): boolean
}

interface Dated {
  /** A fraction. */
  readonly rate: number
  /** The one that was in force until this instant (ISO 8601). */
  readonly before?: Readonly<Record<string, { readonly rate: number }>>
}

/** The files of the library `sales-tax` (`res/`): rates by country, and the members of the union. */
export interface RateData {
  readonly rates: Readonly<Record<string, Dated & { readonly states?: Readonly<Record<string, Dated>> }>>
  readonly union: readonly string[]
}

/** Rates out of the data of the library. */
export function taxRatesOf({ rates, union }: RateData): TaxRates {
  const members = new Set(union)
  const known = new Map(Object.entries(rates))
  return {
    rateOf({ country, region }, at) {
      const found = known.get(country)
      if (!found) return null
      const ofRegion = region === null ? undefined : new Map(Object.entries(found.states ?? {})).get(region)
      return rateAt(found, at) + (ofRegion ? rateAt(ofRegion, at) : 0)
    },
    isInUnion: (country) => members.has(country),
  }
}

/** Of those that were in force until some later instant, the one whose instant comes first. */
function rateAt({ rate, before = {} }: Dated, at: UtcTime): number {
  const now = fromUtcTime(at)
  const [next] = Object.entries(before)
    .map(([until, { rate: earlier }]) => ({ until: Date.parse(until), earlier }))
    .filter(({ until }) => now < until)
    .toSorted((a, b) => a.until - b.until)
  return Math.round((next?.earlier ?? rate) * MILLION)
}
