/** A card number has 13 to 19 digits; the first is 2 to 6. */
const SHORTEST = 13
const LONGEST = 19
const LEAST_FIRST = 2
const MOST_FIRST = 6
const ZERO = 0x30

/** Digits, and what people and machines put between them; what stands behind a point belongs to a decimal number. */
const RUN = /(?<![\d.])\d(?:[\p{Z}\p{Pd}\p{Cf}\p{Cc}_]{0,3}\d)*/gu
/** Four groups of four that are set apart alike, by what else would end a number: slashes, bars, many blanks. */
const FOURS = /(?<!\d)(?=(\d{4})([^\p{L}\p{Nd}.,:]{1,8})(\d{4})\2(\d{4})\2(\d{4})(?!\d))/gu
const BY_POINTS = /\d\.\d+\.\d/

/**
 * Whether a text has what can only be a card number: 13 to 19 digits of any script, in groups or not, whose check digit
 * is right, whatever stands around them. Such a text is refused and never logged (`docs/decisions.md` 5.11). Digits
 * that touch are one number, and a longer one is none. Time grows with the length of the text only.
 */
export function hasCardNumber(text: string): boolean {
  if (text.length < SHORTEST) return false
  const plain = inAscii(text)
  const spaced = BY_POINTS.test(plain) ? plain.replaceAll('.', ' ') : plain
  for (const [run] of spaced.matchAll(RUN)) {
    if (run.length >= SHORTEST && hasWholeGroups(run)) return true
  }
  for (const [, first, , second, third, last] of plain.matchAll(FOURS)) {
    if (isCard(`${first}${second}${third}${last}`)) return true
  }
  return false
}

/** Whether a text in which no number is to be, a token, has one of a card: whatever separates its digits. */
export const isCardNumber = (text: string): boolean =>
  hasCardNumber(text.replaceAll(/[^\p{L}\p{Nd}]+/gu, ' '))

/** Full-width digits are the plain ones in NFKC; those of other scripts are turned by their value. */
const inAscii = (text: string): string =>
  /^[\0-\x7F]*$/.test(text)
    ? text
    : text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))

const values = new Map<string, number>()

/** Every script has its ten digits in a row, the zero first; there are less than a thousand of them all. */
function valueOf(digit: string): number {
  const known = values.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  values.set(digit, value)
  return value
}

/** Whether these digits, and no fewer of them, are a card number. */
function isCard(digits: string): boolean {
  const begin = digits.charCodeAt(0) - ZERO
  if (begin < LEAST_FIRST || begin > MOST_FIRST) return false
  let sum = 0
  for (let at = digits.length - 1, doubles = false; at >= 0; at--, doubles = !doubles) {
    const digit = digits.charCodeAt(at) - ZERO
    sum += doubles ? doubledOf(digit) : digit
  }
  return sum % 10 === 0
}

/** What a digit counts in a check that counts double. */
const doubledOf = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2)

/** Whether whole groups of a run, one behind the other, are a card number. */
function hasWholeGroups(run: string): boolean {
  const { digits, starts } = groupsOf(run)
  const sums = checkSums(digits)
  for (let first = 0, least = 1; first < starts.length; first++) {
    const start = starts[first] ?? 0
    const begin = digits[start] ?? 0
    if (begin < LEAST_FIRST || begin > MOST_FIRST) continue
    // A group ends where the next one starts.
    least = Math.max(least, first + 1)
    while (endOf(starts, least, digits) - start < SHORTEST && least < starts.length) least++
    for (let next = least; next <= starts.length; next++) {
      const end = endOf(starts, next, digits)
      if (end - start > LONGEST) break
      if (end - start >= SHORTEST && isChecked(sums, start, end)) return true
    }
  }
  return false
}

const endOf = (starts: Uint32Array, next: number, { length }: Uint8Array): number => starts[next] ?? length

/** The digits of a run, and where among them each group starts. */
function groupsOf(run: string): { readonly digits: Uint8Array; readonly starts: Uint32Array } {
  const digits = new Uint8Array(run.length)
  const starts = new Uint32Array(run.length)
  let [count, groups, isWithin] = [0, 0, false]
  for (let at = 0; at < run.length; at++) {
    const value = run.charCodeAt(at) - ZERO
    const isDigit = value >= 0 && value <= 9
    if (isDigit && !isWithin) starts[groups++] = count
    if (isDigit) digits[count++] = value
    isWithin = isDigit
  }
  return { digits: digits.subarray(0, count), starts: starts.subarray(0, groups) }
}

/**
 * Of the digits before each place the sum that a check is made of, modulo 10: those of even places doubled, and of odd
 * ones.
 */
type Sums = readonly [Uint8Array, Uint8Array]

function checkSums(digits: Uint8Array): Sums {
  const [even, odd] = [new Uint8Array(digits.length + 1), new Uint8Array(digits.length + 1)]
  for (let at = 0; at < digits.length; at++) {
    const digit = digits[at] ?? 0
    const doubled = doubledOf(digit)
    const isEven = at % 2 === 0
    even[at + 1] = ((even[at] ?? 0) + (isEven ? doubled : digit)) % 10
    odd[at + 1] = ((odd[at] ?? 0) + (isEven ? digit : doubled)) % 10
  }
  return [even, odd]
}

/** Whether the last digit is the check digit of Luhn (ISO/IEC 7812-1): each second one before it counts double. */
function isChecked(sums: Sums, start: number, end: number): boolean {
  const sum = end % 2 === 0 ? sums[0] : sums[1]
  return sum[end] === sum[start]
}
