import type { CheckoutChange, CheckoutRow } from './schema.ts'

/**
 * The language that a buyer reads, by either of its names; nothing where none is told. Null for what names none, as
 * `auto` does.
 */
export function languageOf({
  language,
  locale = language,
}: CheckoutChange): Partial<Pick<CheckoutRow, 'language'>> {
  if (locale === undefined) return {}
  return {
    language: /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(locale) && !/^auto\b/i.test(locale) ? locale : null,
  }
}
