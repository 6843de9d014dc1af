import { textsOf } from '../../../shared/language.ts'
import { language } from '../../texts/texts.ts'
import type { EventWords } from './words-en.ts'

const english = async (): Promise<EventWords> => (await import('./words-en.ts')).en
const german = async (): Promise<EventWords> => (await import('./words-de.ts')).de

const words: Readonly<Record<string, string>> = await textsOf<() => Promise<EventWords>>(
  language,
  { en: english, de: german },
  english,
)()

/** What an event of this type is in words; null where there are none, as for an event of a client. */
export const eventWord = (type: string): string | null => words[type] ?? null
