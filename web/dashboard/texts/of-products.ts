import { textsOf } from '../../shared/language.ts'
import type { ProductTexts } from './en-products.ts'
import { language } from './texts.ts'

const english = async (): Promise<ProductTexts> => (await import('./en-products.ts')).enProducts
const german = async (): Promise<ProductTexts> => (await import('./de-products.ts')).deProducts

export const productTexts: ProductTexts = await textsOf(language, { en: english, de: german }, english)()
