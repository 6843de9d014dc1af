/** The languages that pages and mails have. */
export const PAGE_LANGUAGES = ['en', 'de'] as const
