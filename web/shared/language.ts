/** A language as `Intl` takes it: browsers also tell some that are none (`en-US@posix`); null: it is none. */
export function tagOf(text: string): string | null {
  try {
    return new Intl.Locale(text.replace(/[@.].*$/, '').replaceAll('_', '-')).toString()
  } catch {
    return null
  }
}

const baseOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? ''

/** The first wanted language of which there are texts, else English. */
export const languageAmong = (wanted: readonly string[], texts: Readonly<Record<string, unknown>>): string =>
  wanted.map(tagOf).find((tag) => tag !== null && Object.hasOwn(texts, baseOf(tag))) ?? 'en'

/** The texts of a language of which there are some. */
export const textsOf = <Texts>(
  language: string,
  texts: Readonly<Record<string, Texts>>,
  otherwise: Texts,
): Texts => texts[baseOf(language)] ?? otherwise

/** Puts values into a text: `{name}` is one of them. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
