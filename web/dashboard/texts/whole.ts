import { textsOf } from '../../shared/language.ts'
import type { WholeTexts } from './en-whole.ts'
import { language } from './texts.ts'

const english = async (): Promise<WholeTexts> => (await import('./en-whole.ts')).en
const german = async (): Promise<WholeTexts> => (await import('./de-whole.ts')).de

/** The words of the export of an account, which are loaded with it. */
export const wholeTexts: WholeTexts = await textsOf(language, { en: english, de: german }, english)()
