import { textsOf } from '../../shared/language.ts'
import type { MailTexts } from './en-mails.ts'
import { language } from './texts.ts'

const english = async (): Promise<MailTexts> => (await import('./en-mails.ts')).enMails
const german = async (): Promise<MailTexts> => (await import('./de-mails.ts')).deMails

export const mailTexts: MailTexts = await textsOf(language, { en: english, de: german }, english)()

/** What a mail is called, by its name or by that of all that follow each other. */
export const mailName = (name: string): string => mailTexts.names[name] ?? name
