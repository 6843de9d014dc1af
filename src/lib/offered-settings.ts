import { badSetting } from './config-error.ts'
import { isCountry } from './countries.ts'
import { CURRENCIES, type Currency } from './money.ts'
import type { Variables } from './variables.ts'

/** To whom a gateway is offered; absent: to all. */
export interface Offered {
  readonly currencies?: readonly Currency[]
  /** Codes in upper case, ISO 3166-1. */
  readonly countries?: readonly string[]
}

/**
 * Reads `…_CURRENCIES` and `…_COUNTRIES` of a gateway, whose variables begin with `prefix`; nothing without both.
 * ConfigError for a currency that nothing is sold in, and for what is no country.
 */
export function readOffered(read: Variables, prefix: string): { readonly offered?: Offered } {
  const currencies = listIn(read, `${prefix}_CURRENCIES`, currencyOf)
  const countries = listIn(read, `${prefix}_COUNTRIES`, countryOf)
  if (!currencies && !countries) return {}
  return { offered: { ...(currencies && { currencies }), ...(countries && { countries }) } }
}

function listIn<T>(
  read: Variables,
  name: string,
  valueOf: (text: string, name: string) => T,
): T[] | undefined {
  const parts = (read.text(name) ?? '').split(',').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  return named.length === 0 ? undefined : named.map((part) => valueOf(part, name))
}

function currencyOf(text: string, name: string): Currency {
  const currency = CURRENCIES.find((one) => one === text.toLowerCase())
  if (currency) return currency
  throw badSetting(name, `a list of ${CURRENCIES.join(', ')}`, text)
}

function countryOf(text: string, name: string): string {
  if (isCountry(text)) return text.toUpperCase()
  throw badSetting(name, 'a list of codes of countries such as US,CA', text)
}
