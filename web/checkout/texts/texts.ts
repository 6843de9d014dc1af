import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de }

/** The language of a page: the one that was asked for, else the browser's, else English. */
export function languageFor(asked: string | null): string {
  const wanted = asked === null ? navigator.languages : [asked, ...navigator.languages]
  return wanted.map(tagOf).find((tag) => tag !== null && Object.hasOwn(LANGUAGES, baseOf(tag))) ?? 'en'
}

/** A language as `Intl` takes it: browsers also tell some that are none (`en-US@posix`); null: it is none. */
export function tagOf(text: string): string | null {
  try {
    return new Intl.Locale(text.replace(/[@.].*$/, '').replaceAll('_', '-')).toString()
  } catch {
    return null
  }
}

export const textsFor = (language: string): Texts => LANGUAGES[baseOf(language)] ?? en

const baseOf = (language: string): string => language.split(/[-_]/)[0]?.toLowerCase() ?? ''

/** Puts values into a text: `{name}` is one of them. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
