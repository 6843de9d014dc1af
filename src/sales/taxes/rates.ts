import regions from 'sales-tax/res/region_countries.json' with { type: 'json' }
import data from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }
import { taxRatesOf, type RateData, type TaxRates } from './tax-rates.ts'

const rates: RateData['rates'] = data

/** The rates of the library; nothing is asked of a network. */
export const taxRates: TaxRates = taxRatesOf({ rates, union: regions.EU })

/** Whether tax can be collected there: a country, a region of one (`US-CA`), or `EU`. */
export function isTaxPlace(place: string): boolean {
  const [country = '', region] = place.split('-')
  if (region === undefined) return place === 'EU' || Object.hasOwn(rates, country)
  return Object.hasOwn(rates[country]?.states ?? {}, region)
}
