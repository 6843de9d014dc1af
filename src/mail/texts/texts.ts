import type { Texts } from '../templates.ts'
import { inLanguage } from '../../lib/in-language.ts'
import { de } from './de.ts'
import { en } from './en.ts'

const ALL: readonly [Texts, ...Texts[]] = [en, de]

/** The languages that there are texts in. */
export const LANGUAGES: readonly string[] = ALL.map(({ language }) => language)

/** The texts in a language such as `de` or `de_AT`; English where it is not known or there are none in it. */
export const textsIn = (language: string | null): Texts => inLanguage(ALL, language)
