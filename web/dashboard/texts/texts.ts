import { languageAmong, textsOf } from '../../shared/language.ts'
import { chooseUnder, chosenUnder } from '../../ui/chosen-language.ts'
import { tellIn } from '../../ui/texts.ts'
import type { Texts } from './en.ts'

const english = async (): Promise<Texts> => (await import('./en.ts')).en
const german = async (): Promise<Texts> => (await import('./de.ts')).de

/** Only the one that is shown is loaded. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = { en: english, de: german }

const KEPT = 'keywright-language'

/** What was chosen in this browser; empty: nothing, the browser says. */
export const chosenLanguage = chosenUnder(KEPT)

/** Shows everything in another language, in this browser from now on. */
export const chooseLanguage = (tag: string): void => chooseUnder(KEPT, tag)

/** The language, as `Intl` and the document take it; English where there are no texts of it. */
export const language = languageAmong(
  chosenLanguage === '' ? navigator.languages : [chosenLanguage],
  LANGUAGES,
)

tellIn(language)

export const texts: Texts = await textsOf(language, LANGUAGES, english)()

export type { Texts } from './en.ts'
