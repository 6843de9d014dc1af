import { languageAmong, textsOf } from '../../shared/language.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de }

/** The language of a page: the one that was asked for, else the browser's, else English. */
export const languageFor = (asked: string | null): string =>
  languageAmong(asked === null ? navigator.languages : [asked, ...navigator.languages], LANGUAGES)

export const textsFor = (language: string): Texts => textsOf(language, LANGUAGES, en)
