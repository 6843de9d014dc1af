import { languageAmong, textsOf } from '../../shared/language.ts'
import { chooseUnder, chosenUnder, keepIn, keptIn } from '../../ui/chosen-language.ts'
import { tellIn } from '../../ui/texts.ts'
import type { Texts } from './en.ts'

const english = async (): Promise<Texts> => (await import('./en.ts')).en
const german = async (): Promise<Texts> => (await import('./de.ts')).de

/** Only the one that is shown is loaded. */
const LANGUAGES: Readonly<Record<string, () => Promise<Texts>>> = { en: english, de: german }

const KEPT = 'keywright-portal-language'
/** Of the customer whom a person of the seller looks at; null: nobody is looked at. */
const viewed = keptIn('sessionStorage', KEPT)
const chosen = viewed ?? chosenUnder(KEPT)

/** What the user has chosen, here or in another browser; null: nothing. */
export function showIn(tag: string | null): void {
  if (viewed !== null) endView()
  else if ((tag ?? '') !== chosen) chooseUnder(KEPT, tag ?? '')
}

/** What the customer has chosen whom a person of the seller looks at: in this tab, and until nobody is looked at. */
export function showAsViewed(tag: string | null): void {
  if ((tag ?? '') !== chosen) keepIn('sessionStorage', KEPT, tag ?? '')
}

/** Shows the page in the language of this browser again, where a customer was looked at. */
export function endView(): void {
  if (viewed !== null) keepIn('sessionStorage', KEPT, null)
}

/** The language, as `Intl` and the document take it; English where there are no texts of it. */
export const language = languageAmong(chosen === '' ? navigator.languages : [chosen], LANGUAGES)

tellIn(language)

export const texts: Texts = await textsOf(language, LANGUAGES, english)()
