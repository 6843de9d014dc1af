/** A card number has 13 to 19 digits; the first is 2 to 6. */
const CARD = /^[2-6]\d{12,18}$/
const SHORTEST = 13
const LONGEST = 19

/** Digits, and what people and machines put between them; what stands behind a point belongs to a decimal number. */
const RUN = /(?<![\d.])\d(?:[\p{Z}\p{Pd}\p{Cf}\p{Cc}_]{0,3}\d)*/gu
const BY_POINTS = /\d\.\d+\.\d/

/**
 * Whether a text has what can only be a card number: 13 to 19 digits of any script, in groups or not, whose check digit
 * is right, whatever stands around them. Such a text is refused and never logged (DECISIONS 5.11). Digits that touch
 * are one number, and a longer one is none. Time grows with the length of the text only.
 */
export function hasCardNumber(text: string): boolean {
  if (text.length < SHORTEST) return false
  const plain = inAscii(text)
  const spaced = BY_POINTS.test(plain) ? plain.replaceAll('.', ' ') : plain
  for (const [run] of spaced.matchAll(RUN)) {
    if (run.length >= SHORTEST && hasWholeGroups(run)) return true
  }
  return false
}

/** The same of a text in which no number is to be, a token: whatever separates its digits. */
export const isCardNumber = (text: string): boolean =>
  hasCardNumber(text.replaceAll(/[^\p{L}\p{Nd}]+/gu, ' '))

/** Full-width digits are the plain ones in NFKC; those of other scripts are turned by their value. */
const inAscii = (text: string): string =>
  /^[\0-\x7F]*$/.test(text)
    ? text
    : text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))

/** Every script has its ten digits in a row, the zero first. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return Number(digit)
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

function hasWholeGroups(run: string): boolean {
  const groups = run.split(/\D+/)
  return groups.some((_, first) => beginsCard(groups, first))
}

function beginsCard(groups: readonly string[], first: number): boolean {
  let digits = ''
  for (const group of groups.slice(first, first + LONGEST)) {
    digits += group
    if (digits.length > LONGEST) return false
    if (CARD.test(digits) && isChecked(digits)) return true
  }
  return false
}

/** Whether the last digit is the check digit of Luhn (ISO/IEC 7812-1). */
function isChecked(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
