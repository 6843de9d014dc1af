import { normalVatId } from '../../lib/vat-form.ts'
import type { VatId } from './tax.ts'

/** What knows of VAT ids: a kept library their form, the tax offices which exist. */
export interface VatIdRegister {
  /** Whether length and check digit are those of its country; capital letters and digits. */
  isWellFormed(id: string): boolean
  /** Whether a tax office knows it; null when there is none to ask. Whatever it throws means no answer. */
  isKnown(id: string): Promise<boolean | null>
}

const FORM = /^([A-Z]{2})[0-9A-Z+*]{2,13}$/

/**
 * Checks what a buyer gave as VAT id; null when it is empty. The tax office is asked only for one of the right
 * form; while it does not answer the id is `unchecked`, which is taxed and checked again (`docs/decisions.md` 5.8).
 */
export async function checkVatId(text: string, register: VatIdRegister): Promise<VatId | null> {
  const id = normalVatId(text)
  if (id === '') return null
  const country = FORM.exec(id)?.[1]
  if (country === undefined || !register.isWellFormed(id))
    return { country: country ?? '', check: 'malformed' }
  const isKnown = await register.isKnown(id).catch(() => null)
  if (isKnown === null) return { country, check: 'unchecked' }
  return { country, check: isKnown ? 'valid' : 'invalid' }
}
