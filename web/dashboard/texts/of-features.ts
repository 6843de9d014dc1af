import { textsOf } from '../../shared/language.ts'
import type { FeatureTexts } from './en-features.ts'
import { language } from './texts.ts'

const english = async (): Promise<FeatureTexts> => (await import('./en-features.ts')).enFeatures
const german = async (): Promise<FeatureTexts> => (await import('./de-features.ts')).deFeatures

export const featureTexts: FeatureTexts = await textsOf(language, { en: english, de: german }, english)()
