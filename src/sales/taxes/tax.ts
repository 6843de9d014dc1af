import type { VatCheck } from '../../db/tables/checkouts.ts'
import type { TaxRates } from './tax-rates.ts'
import type { UtcTime } from '../../lib/time.ts'

/** What a seller says of taxes. Nothing said: nothing is taxed. */
export interface TaxSettings {
  /** ISO 3166-1, two upper-case letters; null: not said. */
  readonly country: string | null
  /** Where the seller collects: countries (`DE`), regions (`US-CA`), or `EU`, the one-stop shop of the union. */
  readonly registrations: readonly string[]
  /** Whether a VAT id of the right form is believed without the online check. */
  readonly isFormatEnough: boolean
}

/** Who buys, as the checkout knows it. */
export interface TaxedBuyer {
  /** ISO 3166-1, any case. */
  readonly country: string
  /** Of countries that tax by region: its code without the country's. */
  readonly region: string | null
  readonly zip: string | null
  readonly vatId: VatId | null
}

export interface VatId {
  /** The letters it begins with. */
  readonly country: string
  readonly check: VatCheck
}

/** Why a sale is taxed as it is. */
export type TaxRule =
  /** Where the seller is. */
  | 'domestic'
  /** Where the buyer is. */
  | 'destination'
  /** Buyer elsewhere in the union, seller not in the one-stop shop: as at home. */
  | 'origin'
  /** A business elsewhere, which pays the tax itself. */
  | 'reverse_charge'
  /** The seller need not collect there. */
  | 'outside'
  /** There would be a tax; the seller is not registered for it. */
  | 'unregistered'

export interface Tax {
  /** Millionths. */
  readonly rate: number
  readonly rule: TaxRule
  /** Whose tax it is; null without one. */
  readonly country: string | null
  /** Whether a VAT id is still to be checked, with which there would be none: then it is given back. */
  readonly isProvisional: boolean
}

/**
 * The tax on software sold now, prices being without it (`docs/decisions.md` 5.8). Reverse charge only with a VAT id of
 * the buyer's own country that the online check has found, or that the seller's settings let pass by its form.
 */
export function taxOn(
  sale: { readonly settings: TaxSettings; readonly buyer: TaxedBuyer; readonly at: UtcTime },
  rates: TaxRates,
): Tax {
  const { settings, buyer, at } = sale
  const home = settings.country && canonical(settings.country)
  if (home === null) return untaxed('unregistered')
  const place = canonical(buyer.country)
  if (isOutsideTerritory(place, buyer.zip)) return untaxed('outside')
  const rule = ruleFor({ place, region: region(buyer), home }, settings, rates)
  const business = isReverseCharged({ place, home, rule }, rates) ? trust(buyer, settings) : 'no'
  if (business === 'yes') return untaxed('reverse_charge')
  if (rule === 'outside' || rule === 'unregistered') return untaxed(rule)
  const country = rule === 'origin' ? home : place
  const counted = isListed(settings, `${country}-${region(buyer)}`) ? region(buyer) : null
  const rate = rates.rateOf({ country, region: counted }, at)
  if (rate === null) return untaxed('unregistered')
  return { rate, rule, country, isProvisional: business === 'perhaps' }
}

interface Sale {
  readonly place: string
  readonly region: string | null
  readonly home: string
}

/** The rule for a consumer. */
function ruleFor({ place, region, home }: Sale, settings: TaxSettings, rates: TaxRates): TaxRule {
  const isRegistered = isListed(settings, place) || isListed(settings, `${place}-${region}`)
  if (place === home) return isRegistered ? 'domestic' : 'unregistered'
  if (isRegistered) return 'destination'
  if (!rates.isInUnion(place)) return place === 'GB' ? 'unregistered' : 'outside'
  if (isListed(settings, 'EU')) return 'destination'
  return rates.isInUnion(home) && isListed(settings, home) ? 'origin' : 'unregistered'
}

/** Whether a business there would pay the tax itself; a seller of the union must be registered for that. */
function isReverseCharged(
  { place, home, rule }: { readonly place: string; readonly home: string; readonly rule: TaxRule },
  rates: TaxRates,
): boolean {
  if (place === home) return false
  if (place === 'GB') return true
  return rates.isInUnion(place) && (rule !== 'unregistered' || !rates.isInUnion(home))
}

/** Whether the buyer is a business: `perhaps` until its VAT id was checked. */
function trust({ country, vatId }: TaxedBuyer, { isFormatEnough }: TaxSettings): 'yes' | 'no' | 'perhaps' {
  if (vatId === null || canonical(vatId.country) !== canonical(country)) return 'no'
  if (vatId.check === 'valid') return 'yes'
  if (vatId.check !== 'unchecked') return 'no'
  return isFormatEnough ? 'yes' : 'perhaps'
}

/** Other names of a country, and countries that are part of another's tax. Services of Northern Ireland are GB. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['EL', 'GR'],
  ['UK', 'GB'],
  ['XI', 'GB'],
  ['IM', 'GB'],
  ['MC', 'FR'],
])

/** Postal codes of what belongs to a member state and not to the union's VAT (Directive 2006/112/EC, article 6). */
const OUTSIDE: ReadonlyMap<string, RegExp> = new Map([
  ['DE', /^(27498|78266)$/],
  ['ES', /^(35|38|51|52)\d{3}$/],
  ['FI', /^22\d{3}$/],
  ['FR', /^97[1-8]\d{2}$/],
  ['GR', /^63086$/],
  ['IT', /^23041$/],
])

function canonical(country: string): string {
  const upper = country.toUpperCase()
  return SAME.get(upper) ?? upper
}

const isOutsideTerritory = (country: string, zip: string | null) =>
  OUTSIDE.get(country)?.test(zip?.replaceAll(/[\s-]/g, '') ?? '') === true

const region = ({ region: code }: TaxedBuyer) => code && code.toUpperCase()

const isListed = ({ registrations }: TaxSettings, place: string) => registrations.includes(place)

const untaxed = (rule: TaxRule): Tax => ({ rate: 0, rule, country: null, isProvisional: false })
