/** In which there are texts of mails. */
export const LANGUAGES = ['en', 'de'] as const
export type MailLanguage = (typeof LANGUAGES)[number]
