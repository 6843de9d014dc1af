/**
 * Orders two versions, `major.minor[.patch[-pre]][+meta]`: below 0 when `a` is the earlier one. What follows `+`
 * is ignored, and `1.2-beta < 1.2 < 1.2.0 < 1.2.1` (`docs/interface.md` 12.2).
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  return compareNumbers(left.numbers, right.numbers) || comparePre(left.pre, right.pre)
}

interface VersionParts {
  readonly numbers: readonly string[]
  /** Null: there is none. */
  readonly pre: string | null
}

/** What the order of a version goes by. */
export function partsOf(version: string): VersionParts {
  const [core = ''] = version
    .trim()
    .replace(/^v(?=\d)/i, '')
    .split('+')
  const dash = core.indexOf('-')
  const numbers = (dash === -1 ? core : core.slice(0, dash)).split('.')
  return { numbers, pre: dash === -1 ? null : core.slice(dash + 1) }
}

function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = comparePart(a[at] ?? '', b[at] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** A version is later than what was released before it. */
function comparePre(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b !== null) - Number(a !== null)
  return compareNumbers(a.split('.'), b.split('.'))
}

/** Digits by their number, of whatever length, before anything else, which is in the order of ASCII. */
function comparePart(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber && isOtherNumber) return Math.sign(Number(BigInt(a) - BigInt(b)))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return a < b ? -1 : Number(a > b)
}
