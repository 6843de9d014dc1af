import { textsOf } from '../../shared/language.ts'
import type { ServerTexts } from './en-server.ts'
import { language } from './texts.ts'

const english = async (): Promise<ServerTexts> => (await import('./en-server.ts')).enServer
const german = async (): Promise<ServerTexts> => (await import('./de-server.ts')).deServer

export const serverTexts: ServerTexts = await textsOf(language, { en: english, de: german }, english)()

const asSaid = async (): Promise<null> => null
const inGerman = () => import('./checks-de.ts')

const checks = await textsOf<typeof asSaid | typeof inGerman>(language, { de: inGerman }, asSaid)()

/** A line of a check, and what that looks at: English, as the server says it, or German. */
export const checkLine = (line: string): string => checks?.germanLine(line) ?? line
export const checkName = (check: string): string => checks?.germanName(check) ?? check
