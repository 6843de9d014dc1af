import { textsOf } from '../../../shared/language.ts'
import { language } from '../../texts/texts.ts'
import type { Words } from './words-en.ts'

const english = async (): Promise<Words> => (await import('./words-en.ts')).en
const german = async (): Promise<Words> => (await import('./words-de.ts')).de

/** The words of timelines, loaded with the first page that has one. */
export const words: Words = await textsOf<() => Promise<Words>>(
  language,
  { en: english, de: german },
  english,
)()
