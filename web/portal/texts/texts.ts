import { languageAmong, textsOf } from '../../shared/language.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de }

/** The language of the browser, as `Intl` and the document take it; English where there are no texts of it. */
export const language = languageAmong(navigator.languages, LANGUAGES)

export const texts: Texts = textsOf(language, LANGUAGES, en)
