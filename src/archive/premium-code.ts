import { maskPhp } from './php-mask.ts'
import { ArchiveRefused } from './safety.ts'

/** What a part of a file that is left out was. */
export type Part = 'block' | 'function' | 'section'

export interface Stripped {
  readonly text: string
  /** What was left out, in order. */
  readonly parts: readonly { readonly part: Part; readonly line: number }[]
}

interface Cut {
  readonly start: number
  readonly end: number
  readonly part: Part
  /** What stands in its place. */
  readonly text: string
}

const SECTION = (kind: 'premium' | 'free') =>
  new RegExp(
    `[^\\n]*\\bfs_${kind}_only_begin\\b[^]*?\\bfs_${kind}_only_end\\b[^\\n]*\\n?` +
      (kind === 'premium'
        ? `|(?:/\\*|<!--)\\s*<fs_premium_only>\\s*(?:\\*/|-->)[^]*?(?:/\\*|<!--)\\s*</fs_premium_only>\\s*(?:\\*/|-->)`
        : ''),
    'g',
  )

/** The sections that are marked for one build only, whatever language the file is in. */
export const withoutSections = (text: string, kind: 'premium' | 'free'): Stripped =>
  applied(
    text,
    [...text.matchAll(SECTION(kind))].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      part: 'section',
      text: '',
    })),
  )

/**
 * PHP without the blocks and functions that are marked as premium: an `if` on a call of `…__premium_only()`, of which
 * what follows `else` stays, and functions whose name ends so. A condition that is negated, or has another way to be
 * true, stays as it is (`spec/behaviour/deployments…` 1).
 */
export function withoutPremiumCode(text: string): Stripped {
  const mask = maskPhp(text)
  const cuts: Cut[] = []
  const marked =
    /\b(?:(else\s*)?if\s*\(|(?:(?:abstract|final|public|protected|private|static)\s+)*function\s+&?\s*\w+__premium_only\s*\()/g
  for (let found = marked.exec(mask); found; found = marked.exec(mask)) {
    const cut = found[0].includes('function') ? cutFunction(mask, found) : cutBlock(text, mask, found)
    if (!cut) continue
    cuts.push(cut)
    marked.lastIndex = cut.end
  }
  return applied(text, cuts)
}

function cutFunction(mask: string, { index, 0: head }: RegExpExecArray): Cut {
  const parameters = closing(mask, index + head.length - 1, '()')
  const body = mask.indexOf('{', parameters)
  if (body === -1) throw unbalanced()
  return { start: index, end: closing(mask, body, '{}') + 1, part: 'function', text: '' }
}

function cutBlock(text: string, mask: string, { index, 0: head, 1: orElse }: RegExpExecArray): Cut | null {
  const open = index + head.length - 1
  const close = closing(mask, open, '()')
  const condition = mask.slice(open, close)
  if (!/\w__premium_only\s*\(/.test(condition) || /![^=]|\|\||\bor\b|\?/i.test(condition)) return null
  const body = skipSpace(mask, close + 1)
  const isPlain = mask[body] === '{'
  if (!isPlain && mask[body] !== ':')
    throw new ArchiveRefused('has premium code after an "if" without braces')
  const end = isPlain ? closing(mask, body, '{}') + 1 : endOfColonBlock(mask, body)
  const rest = isPlain ? afterBlock(mask, end) : null
  if (orElse !== undefined) return { start: index, end, part: 'block', text: '' }
  return {
    start: index,
    end: rest?.until ?? end,
    part: 'block',
    text: rest ? text.slice(rest.from, rest.until) : '',
  }
}

/** What is left of an `if` whose block is gone: `else {…}` is its block, `elseif (…) {…}` an `if`. */
function afterBlock(mask: string, end: number): { from: number; until: number } | null {
  const [found = '', word] = /^\s*(elseif|else\s+(?=if\b)|else)\b/.exec(mask.slice(end, end + 200)) ?? []
  if (word === undefined) return null
  const from = end + found.length
  return word === 'elseif'
    ? { from: from - 2, until: from }
    : { from: skipSpace(mask, from), until: skipSpace(mask, from) }
}

/** Of `if (…): … endif;` without `else`, which could stay only in part. */
function endOfColonBlock(mask: string, from: number): number {
  const word = /\b(endif\s*;?|else(?:if)?\b|if\s*\()/g
  word.lastIndex = from
  let depth = 1
  for (let found = word.exec(mask); found; found = word.exec(mask)) {
    const [, what = ''] = found
    if (what.startsWith('endif')) depth--
    else if (what.startsWith('if')) {
      const close = closing(mask, found.index + found[0].length - 1, '()')
      if (mask[skipSpace(mask, close + 1)] === ':') depth++
    } else if (depth === 1 && !isOfBraces(mask, found.index))
      throw new ArchiveRefused('has premium code in an "if" with "else" that is written without braces')
    if (depth === 0) return found.index + found[0].length
  }
  throw unbalanced()
}

const isOfBraces = (mask: string, at: number) => mask.slice(0, at).trimEnd().endsWith('}')

const skipSpace = (mask: string, from: number): number => {
  const found = mask.slice(from).search(/\S/)
  return found === -1 ? mask.length : from + found
}

/** Where the bracket is that closes the one at `from`. */
function closing(mask: string, from: number, [open, close]: string | readonly string[]): number {
  let depth = 0
  for (let at = from; at < mask.length; at++) {
    if (mask[at] === open) depth++
    else if (mask[at] === close && --depth === 0) return at
  }
  throw unbalanced()
}

const unbalanced = () => new ArchiveRefused('has premium code whose end cannot be found')

function applied(text: string, cuts: readonly Cut[]): Stripped {
  const kept: string[] = []
  let at = 0
  for (const { start, end, text: instead } of cuts) {
    kept.push(text.slice(at, start), instead)
    at = end
  }
  const parts = cuts.map(({ start, part }) => ({ part, line: text.slice(0, start).split('\n').length }))
  return { text: kept.join('') + text.slice(at), parts }
}
