import { textsOf } from '../../shared/language.ts'
import type { ExplainTexts } from './en-explain.ts'
import { language } from './texts.ts'

const english = async (): Promise<ExplainTexts> => (await import('./en-explain.ts')).enExplain
const german = async (): Promise<ExplainTexts> => (await import('./de-explain.ts')).deExplain

export const explainTexts: ExplainTexts = await textsOf(language, { en: english, de: german }, english)()
