import { SECOND } from '../../lib/time.ts'
import { TIMELINE_KINDS, type TimelineKind } from './schema.ts'

/** Where an entry stands among those of its kind: its time in milliseconds, then its id. */
export interface Spot {
  readonly at: number
  readonly id: number
}

/** How far a reader has come: of each kind the last entry it was told; absent: it is not told that kind. */
export type Position = Readonly<Partial<Record<TimelineKind, Spot>>>

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999

const LETTERS: Readonly<Record<TimelineKind, string>> = {
  mail: 'm',
  event: 'e',
  note: 'n',
  audit: 'a',
  refusal: 'r',
}

/** A place in a timeline as text, such as `e1769853600000-120.m1769853601000-7`; null where it is none. */
export function parsePosition(text: string): Position | null {
  const position: Partial<Record<TimelineKind, Spot>> = {}
  for (const part of text.split('.')) {
    const kind = TIMELINE_KINDS.find((one) => LETTERS[one] === part[0])
    const [, at, id] = /^[a-z](\d{1,15})-(\d{1,15})$/.exec(part) ?? []
    if (!kind || at === undefined || Number(at) > LATEST || position[kind]) return null
    position[kind] = { at: Number(at), id: Number(id) }
  }
  return position
}

export const positionText = (position: Position): string =>
  TIMELINE_KINDS.flatMap((kind) => {
    const spot = position[kind]
    return spot ? [`${LETTERS[kind]}${spot.at}-${spot.id}`] : []
  }).join('.')

/** One row of a kind. */
export interface Placed extends Spot {
  readonly kind: TimelineKind
  /** When it was on the clock of the sandbox; null: it is not of the sandbox, or that is not known. */
  readonly onClock: string | null
}

/**
 * A page of what several kinds have, each in its own order, the newest first: the latest of those that are next in
 * their kinds comes first. Of the same second comes first what is later on the clock of the sandbox, then the kinds in
 * the order of `TIMELINE_KINDS`. As a place says how far each kind was read, pages have neither a gap nor anything twice,
 * whatever shares a second, and nothing that came after the first of them was read.
 */
export function mergePage<T extends Placed>(
  lists: Readonly<Partial<Record<TimelineKind, readonly T[]>>>,
  { count, from }: { readonly count: number; readonly from: Position },
): { readonly page: readonly T[]; readonly next: Position | null } {
  const taken: Partial<Record<TimelineKind, number>> = {}
  const headOf = (kind: TimelineKind) => lists[kind]?.[taken[kind] ?? 0]
  const page: T[] = []
  for (;;) {
    const first = TIMELINE_KINDS.flatMap((kind) => headOf(kind) ?? []).reduce<T | null>(
      (before, row) => (before === null || isLater(row, before) ? row : before),
      null,
    )
    if (!first) return { page, next: null }
    if (page.length === count) return { page, next: reached(lists, taken, from) }
    taken[first.kind] = (taken[first.kind] ?? 0) + 1
    page.push(first)
  }
}

/** Of a kind of which nothing was told yet, only what is there now is told later. */
function reached<T extends Placed>(
  lists: Readonly<Partial<Record<TimelineKind, readonly T[]>>>,
  taken: Readonly<Partial<Record<TimelineKind, number>>>,
  from: Position,
): Position {
  const places = TIMELINE_KINDS.flatMap((kind) => {
    const rows = lists[kind]
    if (!rows) return []
    const last = rows[(taken[kind] ?? 0) - 1]
    return [[kind, last ? spotOf(last) : (from[kind] ?? above(rows[0]))] as const]
  })
  return Object.fromEntries(places)
}

const spotOf = ({ at, id }: Spot): Spot => ({ at, id })

/** Where all is that is not before a row; without one, where nothing is. */
const above = (row: Spot | undefined): Spot => (row ? { at: row.at, id: row.id + 1 } : { at: 0, id: 0 })

function isLater(one: Placed, other: Placed): boolean {
  // Some kinds know no more than seconds.
  const seconds = Math.floor(one.at / SECOND) - Math.floor(other.at / SECOND)
  if (seconds !== 0) return seconds > 0
  return one.onClock !== null && other.onClock !== null && one.onClock > other.onClock
}
