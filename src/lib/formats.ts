import { isIP } from 'node:net'

const MAX_EMAIL = 254
const MAX_LOCAL_PART = 64
const MAX_URL = 2_048
const MAX_IP = 45

/** A letter, mark or digit of any script that can be seen (no fillers, joiners, variation selectors). */
const LOCAL_PART = /^[[\p{L}\p{M}\p{N}.!#$%\u0026'*+\/=?^_`\{\|\}~\-]--\p{DI}]+$/v
const LABEL = /^[[\p{L}\p{M}\p{N}\-]--\p{DI}]{1,63}$/v
const BIDI_CONTROL = '\\u202A-\\u202E\\u2066-\\u2069'
const UNCLEAN_LINE = new RegExp(`[\\p{Cc}${BIDI_CONTROL}]`, 'u')
const UNCLEAN_LINES = new RegExp(`(?![\\n\\t])[\\p{Cc}${BIDI_CONTROL}]`, 'u')

/**
 * Whether mail can be addressed to this text: at most 254 characters, one `@`, at most 64 before it, then a
 * domain of two labels or more. Letters of any script pass; quotes, spaces, controls, zero-width characters and
 * whatever could end or add a mail header do not (`docs/security-checks.md` S18, S22, S28).
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL) return false
  const [local = '', domain, ...rest] = text.split('@')
  if (domain === undefined || rest.length > 0) return false
  return local.length <= MAX_LOCAL_PART && LOCAL_PART.test(local) && isDomain(domain)
}

function isDomain(text: string) {
  const labels = text.split('.')
  return labels.length >= 2 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? '')
}

const isLabel = (text: string) => LABEL.test(text) && !text.startsWith('-') && !text.endsWith('-')

/**
 * Whether this is an absolute `http:` or `https:` address as browsers read it, at most 2,048 characters, without
 * user name and password, and without characters that readers of addresses drop or read differently
 * (white space, controls, backslashes) (`docs/security-checks.md` S26, S27).
 */
export function isHttpUrl(text: string): boolean {
  if (text.length > MAX_URL || !/^https?:\/\/[^\s\\/][^\s\\]*$/i.test(text) || !isCleanText(text))
    return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}

/**
 * Whether this is an `http:` or `https:` address, with or without its protocol. Browsers read `javascript:1` as a
 * scheme: only a name with a dot, or `localhost`, is a host before its port.
 */
export function isWebAddress(text: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text.slice(0, MAX_URL)) ?? []
  if (scheme !== undefined && /^https?$/i.test(scheme)) return isHttpUrl(text)
  const isOther = scheme !== undefined && !scheme.includes('.') && scheme.toLowerCase() !== 'localhost'
  return !isOther && isHttpUrl(`http://${text}`)
}

/** Whether this is an IPv4 or IPv6 address, without a zone. */
export const isIp = (text: string): boolean =>
  text.length <= MAX_IP && !text.includes('%') && isIP(text) !== 0

/**
 * Whether text may be stored and shown: well-formed Unicode without control characters and without
 * direction overrides (U+202A–202E, U+2066–2069). `multiline` allows line feed and tab. Emoji with zero-width
 * joiners pass (`docs/security-checks.md` S22).
 */
export const isCleanText = (text: string, { multiline = false }: { multiline?: boolean } = {}): boolean =>
  text.isWellFormed() && !(multiline ? UNCLEAN_LINES : UNCLEAN_LINE).test(text)

/** An address without slashes at its end. */
export function withoutEndSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}
