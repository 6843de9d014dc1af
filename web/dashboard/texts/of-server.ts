import { textsOf } from '../../shared/language.ts'
import type { ServerTexts } from './en-server.ts'
import { language } from './texts.ts'

const english = async (): Promise<ServerTexts> => (await import('./en-server.ts')).enServer
const german = async (): Promise<ServerTexts> => (await import('./de-server.ts')).deServer

export const serverTexts: ServerTexts = await textsOf(language, { en: english, de: german }, english)()
