import { ArchiveRefused } from './safety.ts'

/** What a part of a file that is left out was; `kept` is premium code that stays, as it is for the free build too. */
export type Part = 'block' | 'function' | 'section' | 'kept'

export interface Stripped {
  readonly text: string
  /** What was left out or kept, in order. */
  readonly cuts: readonly Cut[]
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
  for (const { start, end } of cuts) {
    left.push(text.slice(at, start))
    at = end
  }
  return { text: left.join('') + text.slice(at), cuts }
}

/** Cuts of a text from which others were taken before, where they stand in the text as it was; all of them in order. */
export function together(first: readonly Cut[], second: readonly Cut[]): readonly Cut[] {
  let gone = 0
  let next = 0
  const moved = second.map((cut) => {
    for (let one = first[next]; one && one.start - gone <= cut.start; one = first[++next])
      gone += one.end - one.start
    return { ...cut, start: cut.start + gone, end: cut.end + gone }
  })
  return [...first, ...moved].toSorted((a, b) => a.start - b.start)
}

/** What each of the cuts is, and the line of the text in which it begins. */
export function partsOf(
  text: string,
  cuts: readonly Cut[],
): { readonly part: Part; readonly line: number }[] {
  let line = 1
  let lineEnd = text.indexOf('\n')
  return cuts.map(({ start, part }) => {
    for (; lineEnd !== -1 && lineEnd < start; lineEnd = text.indexOf('\n', lineEnd + 1)) line++
    return { part, line }
  })
}

export const tooMany = () =>
  new ArchiveRefused(`has more than ${MOST_CUTS} parts that are marked as premium or free`)
