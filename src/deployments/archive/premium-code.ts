import { applied, MOST_CUTS, tooMany, type Cut, type Stripped } from './cuts.ts'
import { maskPhp } from './php-mask.ts'
import { isPremiumOnly, PREMIUM_CALL } from './premium-condition.ts'
import { ArchiveRefused } from './safety.ts'
import { backOverSpace, overSpace } from './sections.ts'

/** PHP in which only code is left, with what is found in it. */
interface Code {
  readonly mask: string
  /** Where the bracket is that closes the one at a place. */
  closing(open: number): number
  /** Whether a premium call is in a range; for ranges that begin later and later. */
  hasCall(from: number, to: number): boolean
}

/** `if (`, `else if (`, `elseif (` and what is left of one when its `else` is gone, or the name of a function. */
const HEAD =
  /(?:(\belse[\t-\r ]*)|\b|(?<=\belse))if[\t-\r ]*\(|(?<![\w\x80-\xff])function(?![\w\x80-\xff])[\t-\r ]*(?:&[\t-\r ]*)?([\w\x80-\xff]+)[\t-\r ]*\(/gi

/**
 * PHP without the blocks and functions that are marked as premium: an `if` on a call of `…__premium_only()`, of which
 * what follows `else` stays, and functions whose name ends so. Under a condition that is negated, or has another way to
 * be true, the code stays; that, and each call that is no condition, is told as kept (`docs/interface.md` 12.4).
 * ArchiveRefused where it cannot be told what is premium.
 */
export function withoutPremiumCode(text: string): Stripped {
  const mask = maskPhp(text)
  const cuts = premiumCuts(mask)
  return applied(
    text,
    [...cuts, ...keptCalls(mask, cuts)].toSorted((a, b) => a.start - b.start),
  )
}

function premiumCuts(mask: string): readonly Cut[] {
  const code: Code = { mask, closing: closings(mask), hasCall: callFinder(mask) }
  const head = new RegExp(HEAD)
  const cuts: Cut[] = []
  for (let found = head.exec(mask); found; found = head.exec(mask)) {
    const cut = found[2] === undefined ? cutBlock(code, found) : cutFunction(code, found, found[2])
    if (!cut) continue
    cuts.push(cut)
    if (cuts.length > MOST_CUTS) throw tooMany()
    head.lastIndex = cut.end
  }
  return cuts
}

/** The premium calls outside of the cuts. */
function keptCalls(mask: string, cuts: readonly Cut[]): readonly Cut[] {
  const kept: Cut[] = []
  let next = 0
  for (const { index } of mask.matchAll(PREMIUM_CALL)) {
    while ((cuts[next]?.end ?? Infinity) <= index) next++
    if ((cuts[next]?.start ?? Infinity) > index) kept.push({ start: index, end: index, part: 'kept' })
    if (kept.length > MOST_CUTS) throw tooMany()
  }
  return kept
}

function cutFunction({ mask, closing }: Code, { index, 0: head }: RegExpExecArray, name: string): Cut | null {
  if (!/.__premium_only$/i.test(name)) return null
  const start = startOfModifiers(mask, index)
  const body = /[;{]/g
  body.lastIndex = closing(index + head.length - 1)
  const found = body.exec(mask)
  if (!found) throw unbalanced()
  const isAbstract = found[0] === ';'
  return { start, end: (isAbstract ? found.index : closing(found.index)) + 1, part: 'function' }
}

const MODIFIERS = new Set(['abstract', 'final', 'public', 'protected', 'private', 'static'])
const LONGEST_MODIFIER = 9

function startOfModifiers(mask: string, from: number): number {
  for (let start = from; ;) {
    const end = backOverSpace(mask, start)
    const [word = ''] = /\w{0,10}$/.exec(mask.slice(Math.max(0, end - LONGEST_MODIFIER - 1), end)) ?? []
    if (end === start || !MODIFIERS.has(word.toLowerCase())) return start
    start = end - word.length
  }
}

function cutBlock(code: Code, { index, 0: head, 1: orElse }: RegExpExecArray): Cut | null {
  const { mask, closing, hasCall } = code
  const open = index + head.length - 1
  if (!hasCall(open, mask.length)) return null
  const close = closing(open)
  if (!hasCall(open, close) || !isPremiumOnly(mask.slice(open + 1, close))) return null
  const body = overSpace(mask, close + 1)
  if (mask[body] === '{') {
    const end = closing(body) + 1
    return { start: index, end: orElse === undefined ? afterElse(mask, end) : end, part: 'block' }
  }
  if (mask[body] !== ':') throw new ArchiveRefused('has premium code after an "if" without braces')
  if (orElse !== undefined) throw elseWithoutBraces()
  return { start: index, end: endOfColonBlock(code, body), part: 'block' }
}

/** Where what is left of an `if` begins: the block of `else`, the `if` of `elseif`, or what follows. */
function afterElse(mask: string, from: number): number {
  const word = /\s*else(?:(?=if\b)|\b\s*)/iy
  word.lastIndex = from
  return from + (word.exec(mask)?.[0].length ?? 0)
}

/** Of `if (…): … endif;` without `else`, which could stay only in part. */
function endOfColonBlock({ mask, closing }: Code, from: number): number {
  const word = /\b(endif\s*;?|else(?:if)?\b|if\s*\()/gi
  word.lastIndex = from
  let depth = 1
  for (let found = word.exec(mask); found; found = word.exec(mask)) {
    const what = found[0].toLowerCase()
    if (what.startsWith('endif')) depth--
    else if (what.startsWith('if')) {
      const close = closing(found.index + found[0].length - 1)
      if (mask[overSpace(mask, close + 1)] === ':') depth++
    } else if (depth === 1 && mask[backOverSpace(mask, found.index) - 1] !== '}') throw elseWithoutBraces()
    if (depth === 0) return found.index + found[0].length
  }
  throw unbalanced()
}

/** Finds the other end of each bracket in one pass. */
function closings(mask: string): Code['closing'] {
  const ends = new Int32Array(mask.length)
  const rounds: number[] = []
  const braces: number[] = []
  for (let at = 0; at < mask.length; at++) {
    const char = mask[at]
    if (char === '(') rounds.push(at)
    else if (char === '{') braces.push(at)
    else if (char === ')' || char === '}') {
      const open = (char === ')' ? rounds : braces).pop()
      if (open !== undefined) ends[open] = at
    }
  }
  return (open) => {
    const end = ends[open] ?? 0
    if (end === 0) throw unbalanced()
    return end
  }
}

function callFinder(mask: string): Code['hasCall'] {
  const calls = [...mask.matchAll(PREMIUM_CALL)].map(({ index }) => index)
  let next = 0
  return (from, to) => {
    while ((calls[next] ?? Infinity) < from) next++
    return (calls[next] ?? Infinity) < to
  }
}

const unbalanced = () => new ArchiveRefused('has premium code whose end cannot be found')

const elseWithoutBraces = () =>
  new ArchiveRefused('has premium code in an "if" with "else" that is written without braces')
