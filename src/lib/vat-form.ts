import type * as Jsvat from 'jsvat-next'
import { lazy } from './lazy.ts'

const jsvat = lazy<typeof Jsvat>('jsvat-next')

const PRINTED = /[\s.-]/g

/** As it is printed → as it is registered: `de 123.456.789` → `DE123456789`. */
export const normalVatId = (text: string): string => text.replaceAll(PRINTED, '').toUpperCase()

/** Whether it has the length and check digit that its country wants. */
export const isWellFormedVatId = (id: string): boolean => checked(id).isValid

/** What is said of a VAT id that has not the form of its country. */
export const VAT_FORM_MESSAGE = 'has not the form that its country wants'

/**
 * Tax ids that are made of a name, and so may begin with the letters of any country: of Italy and India, whose letters
 * are more than a VAT id has, and of Mexico, with a date behind them.
 */
const OF_NAME = /^[A-Z]{5}|^(?!CHE|FR)[A-Z]{3,4}\d{2}[01]\d[0-3]\d[A-Z\d]{3}$/

/**
 * Whether text, as it is printed, begins with the letters of a country whose VAT ids are known, and has not their form.
 * Other tax ids are none, and neither is empty text.
 */
export function isMalformedVatId(text: string): boolean {
  const id = normalVatId(text)
  return hasVatForm(id) && !isWellFormedVatId(id)
}

/** Norway writes its ids with and without its letters, and the library knows them without alone. */
const hasVatForm = (id: string): boolean =>
  /^(?!NO)[A-Z]{2}/.test(id) && !OF_NAME.test(id) && checked(id).isSupportedCountry

function checked(id: string) {
  const { checkVAT, countries } = jsvat()
  return checkVAT(asLibrary(id), countries)
}

/** Northern Ireland has the numbers of the United Kingdom. */
const asLibrary = (id: string) => id.replace(/^XI/, 'GB')
