import { textsOf } from '../../shared/language.ts'
import type { ListTexts } from './en-lists.ts'
import { language } from './texts.ts'

const english = async (): Promise<ListTexts> => (await import('./en-lists.ts')).en
const german = async (): Promise<ListTexts> => (await import('./de-lists.ts')).de

/** The words of what is done with whole lists, which are loaded with it. */
export const listTexts: ListTexts = await textsOf(language, { en: english, de: german }, english)()
