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

/** The European Economic Area, Switzerland and the United Kingdom. */
const WITH_CONSENT: ReadonlySet<string> = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
)

/** Whether people of a country, by its code in upper case, are mailed about offers only if they said yes to that. */
export const asksForConsent = (country: string): boolean => WITH_CONSENT.has(country)

/** A `country_code` as the interface writes it: in lower case, as its contract does. */
export const shownCountry = (code: string | null): string | null => code?.toLowerCase() ?? null

/** In which the names of countries are known beside those of ISO 3166-1. */
const LANGUAGES = 'en de fr es it pt nl da sv nb fi pl cs sk hu ro hr sl et lv lt tr id vi'.split(' ')

/** What is written for countries and their parts without being a name of the standard or of these languages. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  GB: 'UK,Great Britain,England,Scotland,Wales,Northern Ireland',
  US: 'America',
  NL: 'Holland',
  TR: 'Turkey',
  CZ: 'Czech Republic',
  MK: 'Macedonia',
  CI: 'Ivory Coast',
  MM: 'Burma',
  SZ: 'Swaziland',
  CV: 'Cape Verde',
  KR: 'Korea',
  IE: 'Republic of Ireland,Éire',
  AE: 'UAE',
  MO: 'Macau',
  VA: 'Vatican',
  BA: 'Bosnia',
  TT: 'Trinidad',
  CD: 'DR Congo',
  VI: 'Virgin Islands',
}

let english: Intl.DisplayNames | undefined

/** The English name of a country by its code, in any case; empty for what has not the form of a code. */
export function countryName(code: string | null): string {
  if (code === null || !/^[a-z]{2}$/i.test(code)) return ''
  english ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
  return english.of(code.toUpperCase()) ?? ''
}

let codesByName: ReadonlyMap<string, string> | undefined

/** What is said of a country that there is not. */
export const COUNTRY_MESSAGE = 'must be a country, by its name or code (ISO 3166-1)'

/**
 * Whether text can be the country of a postal address: a code of two or three letters, or a name, in any case, with
 * or without accents and article. Text that has no Latin letter passes, and empty text, which is no country.
 */
export const isCountryText = (text: string): boolean =>
  !/\p{Script=Latin}|\d/u.test(text) || codeOfCountry(text) !== null

/** The code of the country that such text names, in upper case; null where that is not known. */
export function codeOfCountry(text: string): string | null {
  if (isCountry(text.trim())) return text.trim().toUpperCase()
  codesByName ??= new Map(namesOfCountries().map(([name, code]) => [bare(name), code]))
  const name = bare(text)
  return codesByName.get(name) ?? codesByName.get(name.replace(/^the/, '')) ?? null
}

/**
 * With the code of each, the surest last. `Korea, Republic of` is also written `Republic of Korea`, and `Korea`, which
 * another country is too.
 */
function namesOfCountries(): [name: string, code: string][] {
  const standard = iso().iso31661
  const codes = [...standard.map(({ alpha2 }) => alpha2), KOSOVO]
  const named = [...LANGUAGES].reverse().flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return codes.map((code): [string, string] => [names.of(code) ?? code, code])
  })
  const parts = standard.map(({ name, alpha2 }): [string, readonly string[]] => [
    alpha2,
    name.split(/, | \(/),
  ])
  return [
    ...parts.flatMap(([code, [first = '', ...rest]]): [string, string][] => [
      [first, code],
      [[...rest, first].join(' '), code],
    ]),
    ...named,
    ...Object.entries(OTHER_NAMES).flatMap(([code, names]) =>
      names.split(',').map((name): [string, string] => [name, code]),
    ),
    ...standard.flatMap(({ alpha2, alpha3, name }): [string, string][] => [
      [alpha3, alpha2],
      [name, alpha2],
    ]),
  ]
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
