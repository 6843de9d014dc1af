import { textsOf } from '../../shared/language.ts'
import type { ImportTexts } from './en-imports.ts'
import { language } from './texts.ts'

const english = async (): Promise<ImportTexts> => (await import('./en-imports.ts')).en
const german = async (): Promise<ImportTexts> => (await import('./de-imports.ts')).de

/** The words of what is brought into an account, which are loaded with it. */
export const importTexts: ImportTexts = await textsOf(language, { en: english, de: german }, english)()
