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

/** A `country_code` as the interface writes it: in lower case, as its contract does. */
export const shownCountry = (code: string | null): string | null => code?.toLowerCase() ?? null

/** In which the names of countries are known beside those of ISO 3166-1. */
const LANGUAGES = 'en de fr es it pt nl da sv nb fi pl cs sk hu ro hr sl et lv lt tr id vi'.split(' ')

/** What is written for countries and their parts without being a name of the standard or of these languages. */
const OTHER_NAMES =
  'UK,Great Britain,England,Scotland,Wales,Northern Ireland,America,Holland,Turkey,Czech Republic,Macedonia,Ivory Coast,Burma,Swaziland,Cape Verde,Korea,Republic of Ireland,Éire,UAE,Macau,Vatican,Bosnia,Trinidad,DR Congo'

let countryNames: ReadonlySet<string> | undefined

/** What is said of a country that there is not. */
export const COUNTRY_MESSAGE = 'must be a country, by its name or code (ISO 3166-1)'

/**
 * Whether text can be the country of a postal address: a code of two or three letters, or a name, in any case, with
 * or without accents and article. Text that has no Latin letter passes, and empty text, which is no country.
 */
export function isCountryText(text: string): boolean {
  if (!/\p{Script=Latin}|\d/u.test(text) || isCountry(text.trim())) return true
  countryNames ??= new Set(namesOfCountries().map(bare))
  const name = bare(text)
  return countryNames.has(name) || countryNames.has(name.replace(/^the/, ''))
}

/** `Korea, Republic of` is also written `Republic of Korea`, and `Korea`. */
function namesOfCountries(): string[] {
  const all = iso().iso31661.flatMap(({ alpha3, name }) => {
    const [first = '', ...rest] = name.split(/, | \(/)
    return [alpha3, name, first, [...rest, first].join(' ')]
  })
  const codes = [...iso().iso31661.map(({ alpha2 }) => alpha2), KOSOVO]
  const named = LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return codes.map((code) => names.of(code) ?? code)
  })
  return [...all, ...named, ...OTHER_NAMES.split(',')]
}

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
