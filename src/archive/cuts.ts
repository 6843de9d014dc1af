import { ArchiveRefused } from './safety.ts'

/** What a part of a file that is left out was; `kept` is premium code that stays, as it is for the free build too. */
export type Part = 'block' | 'function' | 'section' | 'kept'

export interface Stripped {
  readonly text: string
  /** What was left out or kept, in order. */
  readonly parts: readonly { readonly part: Part; readonly line: number }[]
}

/** From `start` to before `end`; what is kept has no length. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly part: Part
}

/** Of an archive; more are no code of hands. */
export const MOST_CUTS = 10_000

/** The text without its cuts, which stand in order and apart from one another. */
export function applied(text: string, cuts: readonly Cut[]): Stripped {
  const left: string[] = []
  let at = 0
  let line = 1
  let lineEnd = text.indexOf('\n')
  const parts = cuts.map(({ start, end, part }) => {
    left.push(text.slice(at, start))
    at = end
    for (; lineEnd !== -1 && lineEnd < start; lineEnd = text.indexOf('\n', lineEnd + 1)) line++
    return { part, line }
  })
  return { text: left.join('') + text.slice(at), parts }
}

export const tooMany = () =>
  new ArchiveRefused(`has more than ${MOST_CUTS} parts that are marked as premium or free`)
