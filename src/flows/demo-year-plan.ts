import { addMonths } from '../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../lib/time.ts'

/** Who may have bought. */
export interface Buyer {
  readonly userId: number
  readonly email: string
  /** Since when the product knows them. */
  readonly since: UtcTime
  /** Upper case. */
  readonly country: string
}

export type Cycle = 0 | 1 | 12

/** What happened in a sale; times in milliseconds. */
export type Act =
  | { readonly what: 'buy' | 'renew' | 'fail' | 'retry' | 'give up' | 'dispute'; readonly at: number }
  | { readonly what: 'cancel'; readonly at: number; readonly reason: number }
  | { readonly what: 'refund'; readonly at: number; readonly share: 1 | 0.5 }
  | { readonly what: 'decide'; readonly at: number; readonly isWon: boolean }

export interface PlannedSale {
  readonly buyer: Buyer
  readonly cycle: Cycle
  /** Which of the offers of its product. */
  readonly offer: 0 | 1 | 2
  /** Whether its license is used on a site. */
  readonly hasSite: boolean
  readonly acts: readonly Act[]
}

const YEAR_MS = 365 * DAY
/** So many bought at the beginning of the year. */
const FIRST = 5

/** Numbers from 0 up to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A year of sales up to `now`, the same ones for the same buyers: more of them lately, as a product grows. */
export function planYear(buyers: readonly Buyer[], now: number, seed: number): PlannedSale[] {
  const random = randomFrom(seed)
  return buyers.map((buyer, index) => {
    const earliest = Math.max(fromUtcTime(buyer.since) + DAY, now - YEAR_MS)
    const later = index < FIRST ? 0.02 : 0.9
    const start = Math.round(earliest + (now - 2 * DAY - earliest) * random() * later)
    const kind = random()
    const cycle = kind < 0.55 ? 1 : kind < 0.88 ? 12 : 0
    const size = random()
    const offer = size < 0.65 ? 0 : size < 0.92 ? 1 : 2
    const acts = [{ what: 'buy' as const, at: start }, ...whatFollows({ index, start, cycle, now }, random)]
    return { buyer, cycle, offer, hasSite: index % 3 !== 2, acts: acts.filter(({ at }) => at < now) }
  })
}

interface Begun {
  readonly index: number
  readonly start: number
  readonly cycle: Cycle
  readonly now: number
}

/** Some are refunded or disputed soon, wholly and for good; others go on, fail now and then, and end. */
function whatFollows(begun: Begun, random: () => number): Act[] {
  const { start, cycle, now } = begun
  const { acts, isOver } = whatComesSoon(begun)
  if (isOver) return acts
  for (let period = 1; cycle > 0; period++) {
    const due = fromUtcTime(addMonths(toUtcTime(start), period * cycle))
    const fate = random()
    const cancelsAt = due - Math.round((0.1 + 0.8 * random()) * cycle * 28 * DAY)
    if (fate < (cycle === 1 ? 0.05 : 0.3)) {
      return [...acts, { what: 'cancel', at: cancelsAt, reason: 1 + Math.floor(random() * 14) }]
    }
    if (due >= now) return acts
    if (fate < 0.08) return [...acts, ...triedInVain(due)]
    if (fate < 0.14) acts.push({ what: 'fail', at: due }, { what: 'retry', at: due + DAY })
    else acts.push({ what: 'renew', at: due })
  }
  return acts
}

/** What comes in the first weeks of a sale, and whether that is its end. */
function whatComesSoon({ index, start }: Begun): { readonly acts: Act[]; readonly isOver: boolean } {
  if (index % 13 === 4) return { acts: [{ what: 'refund', at: start + 4 * DAY, share: 1 }], isOver: true }
  if (index % 19 === 6) return { acts: [{ what: 'refund', at: start + 9 * DAY, share: 0.5 }], isOver: false }
  if (index % 11 !== 9) return { acts: [], isOver: false }
  const isWon = index > 11
  const acts: Act[] = [
    { what: 'dispute', at: start + 12 * DAY },
    { what: 'decide', at: start + 33 * DAY, isWon },
  ]
  return { acts, isOver: !isWon }
}

/** Four attempts; the last one ends it, and until then the renewal is owed. */
const triedInVain = (due: number): Act[] => [
  ...[0, 1, 4].map((days) => ({ what: 'fail', at: due + days * DAY }) as const),
  { what: 'give up', at: due + 9 * DAY },
]
