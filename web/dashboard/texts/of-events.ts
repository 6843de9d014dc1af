import { textsOf } from '../../shared/language.ts'
import { language } from './texts.ts'

type Meanings = Readonly<Record<string, string>>

/** The server says it in English. */
const english = async (): Promise<Meanings> => ({})
const german = async (): Promise<Meanings> => (await import('./de-events.ts')).deEvents

export const meanings: Meanings = await textsOf(language, { en: english, de: german }, english)()
