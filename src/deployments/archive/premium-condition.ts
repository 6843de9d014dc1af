import { ArchiveRefused } from './safety.ts'

/** A call of a function that only premium code has; bytes above 127 are letters of names. */
export const PREMIUM_CALL = /[\w\x80-\xff]__premium_only\s*\(/gi

/** Longer or deeper ones are not written by hand, and would take long to follow. */
const LONGEST = 4_000
const DEEPEST = 20

/** From what binds least to what binds most, with how many of the operands must be premium for the whole to be. */
const LEVELS = [
  { words: ['or'], premium: 'every' },
  { words: ['xor'], premium: 'none' },
  { words: ['and'], premium: 'some' },
  { words: ['?', '??'], premium: 'none' },
  { words: ['||'], premium: 'every' },
  { words: ['&&'], premium: 'some' },
] as const

const PIECE = /[([{]|[)\]}]|&&|\|\||\?->|\?\??|(?<![$>:\\\w])(?:and|x?or)\b/gi

/** A result that is compared so that the free build goes in. */
const NEGATED = /^(?:!|false\s*===?|true\s*!==?)|(?:===?\s*false|!==?\s*true)$/i

/**
 * Whether a condition, of PHP without comments and texts, holds only where a call of `…__premium_only()` does: it is one
 * of what `&&` joins, and neither negated nor one of several ways to be true. ArchiveRefused for one that is too long.
 */
export function isPremiumOnly(condition: string, depth = 0): boolean {
  const text = condition.trim()
  if (text.length > LONGEST || depth > DEEPEST)
    throw new ArchiveRefused('has premium code under a condition that is too long to follow')
  const { operators, firstEnd } = piecesOf(text)
  for (const { words, premium } of LEVELS) {
    const found = operators.filter(({ word }) => (words as readonly string[]).includes(word))
    if (found.length === 0) continue
    if (premium === 'none') return false
    return operandsOf(text, found)[premium]((one) => isPremiumOnly(one, depth + 1))
  }
  if (text.startsWith('(') && firstEnd === text.length) return isPremiumOnly(text.slice(1, -1), depth + 1)
  return !NEGATED.test(text) && text.search(PREMIUM_CALL) !== -1
}

interface Operator {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** The operators outside of all brackets, and where the first bracket is closed. */
function piecesOf(text: string): { operators: readonly Operator[]; firstEnd: number | null } {
  const operators: Operator[] = []
  let firstEnd: number | null = null
  let depth = 0
  for (const { index, 0: piece } of text.matchAll(PIECE)) {
    const end = index + piece.length
    if ('([{'.includes(piece)) depth++
    else if (')]}'.includes(piece)) {
      if (--depth === 0) firstEnd ??= end
    } else if (depth === 0) operators.push({ word: piece.toLowerCase(), start: index, end })
  }
  return { operators, firstEnd }
}

function operandsOf(text: string, operators: readonly Operator[]): readonly string[] {
  const starts = [0, ...operators.map(({ end }) => end)]
  return starts.map((start, at) => text.slice(start, operators[at]?.start))
}
