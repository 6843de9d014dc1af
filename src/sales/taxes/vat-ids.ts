import { isWellFormedVatId } from '../../lib/vat-form.ts'
import type { VatIdRegister } from './vat-id.ts'
import { taxRates } from './rates.ts'
import type { Office } from './vies.ts'

/** As the register of the union names countries. */
const VIES_NAMES: ReadonlyMap<string, string> = new Map([['GR', 'EL']])

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
