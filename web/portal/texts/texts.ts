import { languageAmong, textsOf } from '../../shared/language.ts'
import { chooseUnder, chosenUnder } from '../../ui/chosen-language.ts'
import type { Texts } from './en.ts'

const english = async (): Promise<Texts> => (await import('./en.ts')).en
const german = async (): Promise<Texts> => (await import('./de.ts')).de

/** Only the one that is shown is loaded. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = { en: english, de: german }

const KEPT = 'keywright-portal-language'
const chosen = chosenUnder(KEPT)

/** What the user has chosen, here or in another browser; null: nothing. */
export function showIn(tag: string | null): void {
  if ((tag ?? '') !== chosen) chooseUnder(KEPT, tag ?? '')
}

/** The language, as `Intl` and the document take it; English where there are no texts of it. */
export const language = languageAmong(chosen === '' ? navigator.languages : [chosen], LANGUAGES)

export const texts: Texts = await textsOf(language, LANGUAGES, english)()
