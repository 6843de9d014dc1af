import { applied, type Cut, type Stripped } from './cuts.ts'
import { ArchiveRefused } from './safety.ts'

type Kind = 'premium' | 'free'

/** Words in lines of their own, and for premium code a tag in a comment. */
const MARKS: Readonly<Record<Kind, RegExp>> = {
  premium: /\bfs_premium_only_(?:begin|end)\b|<\/?fs_premium_only>/g,
  free: /\bfs_free_only_(?:begin|end)\b/g,
}

interface Mark {
  readonly word: string
  readonly start: number
  readonly end: number
}

/**
 * The text without the sections that are marked for one build only, whatever language it is in: lines from `…_begin` to
 * `…_end`, and what stands between comments with `<fs_premium_only>` and `</fs_premium_only>`. ArchiveRefused for a
 * mark that begins or ends nothing (`docs/interface.md` 12.4).
 */
export function withoutSections(text: string, kind: Kind): Stripped {
  const cuts: Cut[] = []
  let open: Mark | null = null
  let from = 0
  for (const { index, 0: word } of text.matchAll(MARKS[kind])) {
    const mark: Mark = { word, start: index, end: index + word.length }
    if (mark.start < from || (open && word !== closerOf(open.word))) continue
    if (!open) {
      if (closerOf(word) === null) throw unpaired(kind)
      open = mark
      continue
    }
    cuts.push({
      ...(word.startsWith('<') ? betweenTags : betweenLines)(text, open, mark, from),
      part: 'section',
    })
    from = cuts.at(-1)?.end ?? from
    open = null
  }
  if (open) throw unpaired(kind)
  return applied(text, cuts)
}

/** What ends the section that the word begins; null for one that begins none. */
function closerOf(word: string): string | null {
  if (word.startsWith('<')) return word.startsWith('</') ? null : word.replace('<', '</')
  return word.endsWith('_begin') ? word.replace(/begin$/, 'end') : null
}

type Extent = Pick<Cut, 'start' | 'end'>

/** Whole lines, but nothing before `from`. */
function betweenLines(text: string, open: Mark, close: Mark, from: number): Extent {
  const lineEnd = text.indexOf('\n', close.end)
  return {
    start: Math.max(from, text.lastIndexOf('\n', open.start) + 1),
    end: lineEnd === -1 ? text.length : lineEnd + 1,
  }
}

/** With the comments that the tags are in. */
function betweenTags(text: string, open: Mark, close: Mark): Extent {
  return { start: commentOf(text, open).start, end: commentOf(text, close).end }
}

const COMMENTS = [
  ['/*', '*/'],
  ['<!--', '-->'],
] as const

function commentOf(text: string, { start, end }: Mark): Extent {
  const before = backOverSpace(text, start)
  const after = overSpace(text, end)
  for (const [opening, closing] of COMMENTS) {
    const begin = before - opening.length
    if (text.startsWith(opening, begin) && text.startsWith(closing, after))
      return { start: begin, end: after + closing.length }
  }
  const line = lineCommentOf(text, { start, end })
  if (!line) throw new ArchiveRefused('has a tag <fs_premium_only> that is not in a comment of its own')
  return line
}

/** From `//` to before the end of the line, when there is nothing else in it. */
function lineCommentOf(text: string, { start, end }: Extent): Extent | null {
  let before = start
  while (isBlank(text, before - 1)) before--
  let after = end
  while (isBlank(text, after)) after++
  const isEnd = after >= text.length || text.startsWith('\n', after) || text.startsWith('\r\n', after)
  return isEnd && text.startsWith('//', before - 2) ? { start: before - 2, end: after } : null
}

const isBlank = (text: string, at: number) => at >= 0 && at < text.length && ' \t'.includes(text.charAt(at))

/** Where what follows begins that is no white space. */
export function overSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

/** Where the white space before a place begins. */
export function backOverSpace(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text, at - 1)) at--
  return at
}

const isSpace = (text: string, at: number) => ' \t\n\r\f\v'.includes(text.charAt(at))

const unpaired = (kind: Kind) =>
  new ArchiveRefused(`has a mark fs_${kind}_only without the other one that begins or ends its part`)
