import { textsOf } from '../../shared/language.ts'
import type { FileCheckTexts } from './en-file-check.ts'
import { language } from './texts.ts'

const english = async (): Promise<FileCheckTexts> => (await import('./en-file-check.ts')).enFileCheck
const german = async (): Promise<FileCheckTexts> => (await import('./de-file-check.ts')).deFileCheck

export const fileCheckTexts: FileCheckTexts = await textsOf(language, { en: english, de: german }, english)()
