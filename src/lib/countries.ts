import type * as Iso from 'iso-3166'
import { fold } from './fold.ts'
import { lazy } from './lazy.ts'

const iso = lazy<typeof Iso>('iso-3166')

/** Given to no country by the standard; what banks and gateways say for Kosovo. */
const KOSOVO = 'XK'

interface State {
  /** Without the country's: `CA` of `US-CA`. */
  readonly code: string
  /** Letters and digits alone, as `bare` leaves them; a name of several parts by each of them too. */
  readonly names: readonly string[]
}

let countries: ReadonlySet<string> | undefined
let states: ReadonlyMap<string, readonly State[]> | undefined

/** Whether text is the code of a country, ISO 3166-1 alpha-2, in any case; also that of Kosovo. */
export function isCountry(code: string): boolean {
  countries ??= new Set([...iso().iso31661.map(({ alpha2 }) => alpha2), KOSOVO])
  return countries.has(code.toUpperCase())
}

/** The code of a country as the interface writes it: in lower case, as its contract does. */
export const shownCountry = (code: string | null): string | null => code?.toLowerCase() ?? null

/** What is said of a state that its country does not have. */
export const STATE_MESSAGE = 'must be a state of its country, by its code or name (ISO 3166-2)'

/**
 * Whether text is the code of a state of a country (`CA` of the US), ISO 3166-2 without the country's, in any case;
 * of any country where none is known.
 */
export function isStateCode(country: string | null, text: string): boolean {
  const code = text.toUpperCase()
  return statesOf(country).some((state) => state.code === code)
}

/**
 * Whether text can be the state of a postal address: a code (`CA`, `US-CA`) or a name of ISO 3166-2, in any case and
 * with or without accents. Names that have no Latin letter, and those of countries without such states, are not known
 * to the standard and pass. Empty text is no state, and passes.
 */
export function isState(country: string | null, text: string): boolean {
  const all = statesOf(country)
  if (all.length === 0 || !/\p{Script=Latin}|\d/u.test(text)) return true
  const [, prefix = '', code = ''] = /^([a-z]{2})-(.+)$/i.exec(text.trim()) ?? []
  if (isOf(prefix, country) && isStateCode(prefix, code)) return true
  const name = bare(text)
  return isStateCode(country, text.trim()) || all.some(({ names }) => names.includes(name))
}

const isOf = (prefix: string, country: string | null) =>
  prefix !== '' && (country === null || prefix.toUpperCase() === country.toUpperCase())

function statesOf(country: string | null): readonly State[] {
  states ??= Map.groupBy(
    iso().iso31662.map(({ code, name }) => ({
      country: code.slice(0, 2),
      code: code.slice(3),
      names: [name, ...name.split(/[,/()[\]]/)].map(bare).filter((part) => part !== ''),
    })),
    (state) => state.country,
  )
  return country === null ? [...states.values()].flat() : (states.get(country.toUpperCase()) ?? [])
}

const bare = (text: string) =>
  fold(text)
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
