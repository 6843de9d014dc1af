import { domainToUnicode } from 'node:url'

/**
 * The one form in which text is compared, searched and unique (`docs/decisions.md` 1.8, `docs/security-checks.md` S22):
 * NFKC, lower case by Unicode's rules without any locale, every sigma alike, NFKC again. `fold(fold(x)) === fold(x)`.
 *
 * - Spellings of one character are the same: `é` composed and decomposed, `Ａ` and `a`, the Kelvin sign and `k`.
 * - The same on every machine, whatever its language: `I` → `i`; `İ` → `i` with a dot above (two code points);
 *   `ı` stays. So none of `İ`, `ı`, `i` is taken for another, and an account of one never opens by another.
 * - A sigma folds alike at the end of a word and inside it, so that a prefix stays a prefix.
 * - The domain of an address is one whether it is written in its own letters or as `xn--…`.
 * - Letters that only look alike (Latin `a`, Cyrillic `а`) and `ß`, `ss` stay different.
 *
 * Mail goes to the address that is stored, never to the one that was typed and folds to the same.
 */
export function fold(text: string): string {
  const folded = foldLetters(text)
  const at = folded.lastIndexOf('@') + 1
  if (at === 0 || !folded.includes('xn--', at)) return folded
  const labels = folded.slice(at).split('.')
  const letters = labels.map((label) => (ASCII_LABEL.test(label) ? domainToUnicode(label) || label : label))
  return foldLetters(folded.slice(0, at) + letters.join('.'))
}

const ASCII_LABEL = /^xn--[a-z0-9-]{1,59}$/

/** No text that is compared is longer; one of combining marks alone takes time by the square of its length. */
const MAX_NORMALIZED = 4_096

const foldLetters = (text: string): string =>
  text.length > MAX_NORMALIZED
    ? text.toLowerCase().replaceAll('ς', 'σ')
    : text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')

/** Text → the same text taken literally by `like … escape '\'`: `\`, `%` and `_` get a backslash. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Bounds with `from <= x < to` exactly for the x that start with `folded`, in the order of UTF-8 bytes (which
 * SQLite and PostgreSQL's `collate "C"` use). `to` is null where nothing lies above (`docs/decisions.md` 1.8).
 */
export function prefixRange(folded: string): { from: string; to: string | null } {
  const points = Array.from(folded, (char) => char.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return { from: folded, to: null }
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return { from: folded, to: String.fromCodePoint(...points, next) }
}
