import { Type, type Static } from '../../lib/type.ts'
import { Choice, Nullable } from '../../http/wire.ts'
import { countryName } from '../../lib/countries.ts'
import { CURRENCY_SYMBOLS, currencyOf } from '../../lib/country-currency.ts'
import { CURRENCIES } from '../../lib/money.ts'

/** Where somebody is (`docs/interface.md` 8.3). */
export const Place = Type.Object(
  {
    country: Type.Object(
      { name: Nullable(Type.String()), code: Nullable(Type.String()) },
      { description: 'null: nobody knows it.' },
    ),
    currency: Type.Object({ code: Choice(CURRENCIES), symbol: Type.String() }),
  },
  { title: 'Place' },
)
export type Place = Static<typeof Place>

/** A country with its name, and the currency of prices there. */
export function placeOf(code: string | null): Place {
  const currency = currencyOf(code)
  const name = code === null ? null : countryName(code)
  return { country: { name, code }, currency: { code: currency, symbol: CURRENCY_SYMBOLS[currency] } }
}
