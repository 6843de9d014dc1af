import type { Currency } from './money.ts'

/** Countries whose money is the euro, of the union and outside of it. */
const EURO = new Set(
  'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT'.split(
    ' ',
  ),
)
const POUND = new Set(['GB', 'GG', 'IM', 'JE'])

export const CURRENCY_SYMBOLS: Readonly<Record<Currency, string>> = { usd: '$', eur: '€', gbp: '£' }

/** Of the currencies that prices are in the one that people in a country pay with, else dollars; upper case. */
export function currencyOf(country: string | null): Currency {
  if (country === null) return 'usd'
  if (EURO.has(country)) return 'eur'
  return POUND.has(country) ? 'gbp' : 'usd'
}
