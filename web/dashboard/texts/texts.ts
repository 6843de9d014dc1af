import { languageAmong, textsOf } from '../../shared/language.ts'
import { tellIn } from '../../ui/texts.ts'
import { chosen } from '../chosen.ts'
import type { Texts } from './en.ts'

const english = async (): Promise<Texts> => (await import('./en.ts')).en
const german = async (): Promise<Texts> => (await import('./de.ts')).de

/** Only the one that is shown is loaded. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = { en: english, de: german }

/** The language, as `Intl` and the document take it; English where there are no texts of it. */
export const language = languageAmong(
  chosen.language === '' ? navigator.languages : [chosen.language],
  LANGUAGES,
)

tellIn(language)

export const texts: Texts = await textsOf(language, LANGUAGES, english)()

export type { Texts } from './en.ts'
