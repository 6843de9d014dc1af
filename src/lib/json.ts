import { invalid } from './errors.ts'

/** How many objects and arrays may stand inside one another. */
const MAX_DEPTH = 64

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LOWER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Bytes of a JSON text → its value. Refuses, as 400 `invalid_json`, what two readers could understand
 * differently: invalid UTF-8, a byte order mark, more than 64 levels, a key twice in one object, a number
 * beyond ±(2^53−1), a lone surrogate or a NUL character in a string (`docs/decisions.md` 1.2).
 * Linear in the input. The value may hold an own key `__proto__`: read named fields, never merge it.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  if (text.startsWith('\uFEFF')) throw refusal('starts with a byte order mark')
  inspect(text)
  return parse(text)
}

/** JSON text of one object → the object; undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(Buffer.from(text))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const refusal = (what: string) => invalid('invalid_json', `The JSON ${what}.`)

function decode(bytes: Uint8Array) {
  try {
    return decoder.decode(bytes)
  } catch {
    throw refusal('is not valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('is malformed')
  }
}

/** Looks for what `JSON.parse` lets pass. Text that is not JSON runs through; `JSON.parse` refuses it. */
function inspect(text: string) {
  const open: (Set<string> | null)[] = []
  let keyIsNext = false
  let at = 0
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(text, at)
      if (keyIsNext) addKey(open.at(-1), text.slice(at, end))
      at = end
    } else if (isDigit(char)) {
      at = endOfNumber(text, at)
    } else {
      keyIsNext = structure(char, open, keyIsNext)
      at += 1
    }
  }
}

/** Follows one character outside strings and numbers; answers whether a key may come next. */
function structure(char: number, open: (Set<string> | null)[], keyIsNext: boolean) {
  switch (char) {
    case OPEN_OBJECT:
    case OPEN_ARRAY:
      open.push(char === OPEN_OBJECT ? new Set() : null)
      if (open.length > MAX_DEPTH) throw refusal(`is nested deeper than ${MAX_DEPTH} levels`)
      return char === OPEN_OBJECT
    case CLOSE_OBJECT:
    case CLOSE_ARRAY:
      open.pop()
      return false
    case COMMA:
      return true
    case COLON:
      return false
    default:
      return keyIsNext
  }
}

/** A string after a comma in an array is no key; there `keys` is null. */
function addKey(keys: Set<string> | null | undefined, literal: string) {
  if (!keys) return
  const key = literal.includes('\\') ? String(parse(literal)) : literal.slice(1, -1)
  if (keys.has(key)) throw refusal('names a key twice in one object')
  keys.add(key)
}

/** From the opening quote to the position after the closing one, or the end of an unfinished text. */
function endOfString(text: string, start: number) {
  let at = start + 1
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) return at + 1
    at = char === BACKSLASH ? endOfEscape(text, at) : at + 1
  }
  return at
}

/** Only an escape can spell a NUL or half a surrogate pair: the decoder and `JSON.parse` refuse them raw. */
function endOfEscape(text: string, start: number) {
  const unit = escapedUnit(text, start)
  if (unit === undefined) return start + 2
  if (unit === 0) throw refusal('holds a NUL character')
  if (unit < 0xd800 || unit > 0xdfff) return start + 6
  const next = escapedUnit(text, start + 6)
  if (unit > 0xdbff || next === undefined || next < 0xdc00 || next > 0xdfff) {
    throw refusal('holds half of a surrogate pair')
  }
  return start + 12
}

/** The code unit that `\uXXXX` at this position spells; undefined for anything else. */
function escapedUnit(text: string, at: number) {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LOWER_U) return undefined
  const digits = text.slice(at + 2, at + 6)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** From the first digit; the sign does not matter for how large a number is. */
function endOfNumber(text: string, start: number) {
  let at = start + 1
  while (at < text.length && isNumberPart(text.charCodeAt(at))) at += 1
  if (Number(text.slice(start, at)) > Number.MAX_SAFE_INTEGER) {
    throw refusal('holds a number beyond 9007199254740991')
  }
  return at
}

const isDigit = (char: number) => char >= 0x30 && char <= 0x39

/** Digits, `.`, `+`, `-`, `e` and `E`. */
const isNumberPart = (char: number) =>
  isDigit(char) || char === 0x2e || char === 0x2b || char === 0x2d || (char | 0x20) === 0x65
