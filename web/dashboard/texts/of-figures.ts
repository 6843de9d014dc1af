import { textsOf } from '../../shared/language.ts'
import type { FigureTexts } from './en-figures.ts'
import { language } from './texts.ts'

const english = async (): Promise<FigureTexts> => (await import('./en-figures.ts')).enFigures
const german = async (): Promise<FigureTexts> => (await import('./de-figures.ts')).deFigures

export const figureTexts: FigureTexts = await textsOf(language, { en: english, de: german }, english)()
