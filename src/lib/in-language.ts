/**
 * Of things that stand in several languages the one for who reads a language such as `de` or `de_AT`; the first where it
 * is not known or there is none in it.
 */
export function inLanguage<T extends { readonly language: string }>(
  all: readonly [T, ...T[]],
  language: string | null,
): T {
  const [tag = ''] = (language ?? '').toLowerCase().split(/[-_]/)
  return all.find((one) => one.language === tag) ?? all[0]
}
