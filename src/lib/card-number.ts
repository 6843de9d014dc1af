/** Groups of digits as people write card numbers; the first digit of a card is 2 to 6. */
const CANDIDATE = /(?<![\d.])[2-6](?:[ -]?\d){12,18}(?!\d)/g

/**
 * Whether a text has what can only be a card number: 13 to 19 digits, in groups or not, whose check digit is
 * right. Such a text is refused and never logged (DECISIONS 5.11). Time grows with the length of the text only.
 */
export function hasCardNumber(text: string): boolean {
  for (const [found] of text.matchAll(CANDIDATE)) {
    if (isChecked(found.replaceAll(/[ -]/g, ''))) return true
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
