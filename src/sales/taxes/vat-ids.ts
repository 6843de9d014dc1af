import type * as Jsvat from 'jsvat-next'
import { lazy } from '../../lib/lazy.ts'
import type { VatIdRegister } from './vat-id.ts'
import { taxRates } from './rates.ts'
import type { Office } from './vies.ts'

const jsvat = lazy<typeof Jsvat>('jsvat-next')

/** As the register of the union names countries. */
const VIES_NAMES: ReadonlyMap<string, string> = new Map([['GR', 'EL']])

/** Whether it has the length and check digit that its country wants. */
export const isWellFormedVatId = (id: string): boolean => checked(id).isValid

/** Whether ids that begin so are checked at all. */
export const hasVatForm = (id: string): boolean => /^[A-Z]{2}/.test(id) && checked(id).isSupportedCountry

function checked(id: string) {
  const { checkVAT, countries } = jsvat()
  return checkVAT(asLibrary(id), countries)
}

/** Northern Ireland has the numbers of the United Kingdom. */
const asLibrary = (id: string) => id.replace(/^XI/, 'GB')

/** The library for the form, an office for what exists; without one, and outside of the union, nobody is asked. */
export const vatIdRegister = (office: Office | null): VatIdRegister => ({
  isWellFormed: isWellFormedVatId,
  async isKnown(id) {
    const country = id.slice(0, 2)
    const isInUnion = country === 'EL' || country === 'XI' || taxRates.isInUnion(country)
    if (office === null || !isInUnion) return null
    return office.isKnown(VIES_NAMES.get(country) ?? country, id.slice(2))
  },
})
