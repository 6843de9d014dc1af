import { addMonths } from '../lib/periods.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../lib/time.ts'
import { buyersOf, type Buyer, type DemoStretch } from './buyers.ts'
import { randomFrom } from './chance.ts'
import { isForAll, RELEASES } from './releases.ts'

export type Cycle = 0 | 1 | 12

/** What happened to a buyer. `of` is which period, which reason, how many percent, which offer, … */
export interface Act {
  readonly what:
    | 'come'
    | 'try'
    | 'stop trying'
    | 'leave'
    | 'be declined'
    | 'buy'
    | 'renew'
    | 'fail'
    | 'give up'
    | 'change'
    | 'cancel'
    | 'uninstall'
    | 'refund'
    | 'dispute'
    | 'decide'
    | 'update'
  /** Milliseconds. */
  readonly at: number
  readonly of: number
}

export interface PlannedSale {
  readonly buyer: Buyer
  /** When it is bought, milliseconds; its periods keep this day and hour. */
  readonly start: number
  readonly cycle: Cycle
  /** Which of the offers of its product. */
  readonly offer: number
  /** Whether its license is used on a site. */
  readonly hasSite: boolean
  readonly hasCart: boolean
  readonly hasCoupon: boolean
  readonly acts: readonly Act[]
}

const YEAR_MS = 365 * DAY
/** So many bought at the beginning of the year. */
const FIRST = 5
const OFFERS = 3
/** A payment that failed once is tried again while the license still lives. */
const AGAIN_MS = 20 * HOUR
/** Every so many looks and does not buy. */
const LOOKS = 6

/**
 * What happens in a product of the demo, from a year before it was made up to a moment, the same whenever it is asked:
 * what is planned up to a later moment begins with this.
 */
export const planSales = (stretch: DemoStretch): PlannedSale[] =>
  buyersOf(stretch).map((buyer) => {
    const sale = saleOf(buyer, stretch)
    const { isNewcomer, since } = buyer
    const acts = [...(isNewcomer ? [act('come', since)] : []), ...sale.acts]
    return { ...sale, acts: acts.filter(({ at }) => at <= stretch.until) }
  })

const act = (what: Act['what'], at: number, of = 0): Act => ({ what, at, of })

function saleOf(buyer: Buyer, stretch: DemoStretch): PlannedSale {
  const random = randomFrom(buyer.name)
  const { place } = buyer
  const way = place % LOOKS === LOOKS - 1 ? 'looks' : WAYS[Math.floor(random() * WAYS.length)]
  const start = startOf(buyer, stretch, random)
  const { cycle, offer } = termsOf(place, random)
  const tries = way === 'tries' || (way === 'looks' && place % (2 * LOOKS) < LOOKS)
  const chosen = {
    buyer,
    start,
    cycle,
    offer,
    hasSite: tries || place % 3 !== 2,
    hasCart: way === 'returns' || way === 'cart',
    hasCoupon: place % 2 === 0,
  } as const
  if (way === 'looks') return { ...chosen, acts: looksOn({ buyer, start, tries }) }
  const sold = { ...chosen, stretch }
  const before = tries ? [act('try', start - 9 * DAY)] : way === 'returns' ? [act('leave', start - DAY)] : []
  const declined = place % 8 === 1 ? [act('be declined', start - MINUTE)] : []
  return {
    ...chosen,
    acts: [...before, ...declined, act('buy', start), ...whatFollows(sold, random), ...updates(sold)],
  }
}

function termsOf(place: number, random: () => number): Pick<PlannedSale, 'cycle' | 'offer'> {
  const [kind, size] = [random(), random()]
  if (certain(place, 1)) return { cycle: 1, offer: 0 }
  return {
    cycle: place % 7 === 3 ? 0 : kind < 0.62 ? 1 : 12,
    offer: size < 0.65 ? 0 : size < 0.92 ? 1 : 2,
  }
}

/**
 * What is certain of some who pay by the month, so that no month and no figure is empty: the first one always renews,
 * every tenth takes more sites for two months and then fewer again, and every tenth renews once and then in vain.
 */
function certain(place: number, period: number): Pick<Act, 'what' | 'of'> | null {
  if (place % 10 === 3) return period === 1 ? { what: 'renew', of: 1 } : { what: 'give up', of: 0 }
  if (place === 0 || (place % 10 === 2 && period === 2)) return { what: 'renew', of: period }
  if (place % 10 === 2 && period <= 3) return { what: 'change', of: period === 1 ? 1 : 0 }
  return null
}

/** How a buyer comes to buy: after a trial, from a cart that was left, from one that was not, or at once. */
const WAYS = ['tries', 'returns', 'cart', 'at once', 'at once'] as const

/** Those who were there before the demo was made bought within its year, some of them soon after it. */
function startOf({ isNewcomer, since, place }: Buyer, { begin }: DemoStretch, random: () => number): number {
  const ready = since + 10 * DAY
  if (isNewcomer) return Math.round(ready + random() * 3 * DAY)
  const earliest = Math.max(ready, begin - YEAR_MS)
  const room = Math.max(begin - 2 * DAY - earliest, 15 * DAY)
  return Math.round(earliest + room * random() * (place < FIRST ? 0.02 : 0.9))
}

/** Tries and does not stay, or leaves a cart for good. */
function looksOn({ buyer, start, tries }: { buyer: Buyer; start: number; tries: boolean }): Act[] {
  if (!tries) return [act('leave', start)]
  const reason = 1 + (buyer.place % 15)
  return [
    act('try', start),
    act('stop trying', start + 5 * DAY, reason),
    act('uninstall', start + 6 * DAY, reason),
  ]
}

interface Sold extends Omit<PlannedSale, 'acts'> {
  readonly stretch: DemoStretch
}

/** Some are refunded or disputed soon, wholly and for good; others go on, fail now and then, and end. */
function whatFollows(sold: Sold, random: () => number): Act[] {
  const { start, cycle, stretch } = sold
  const { acts, isOver } = whatComesSoon(sold)
  if (isOver) return acts
  for (let period = 1; cycle > 0; period++) {
    const due = fromUtcTime(addMonths(toUtcTime(start), period * cycle))
    const fate = random()
    const end = cancelled(sold, due, random)
    const sure = certain(sold.buyer.place, period)
    if (!sure && fate < ENDS[cycle]) return [...acts, ...end]
    if (due > stretch.until) return acts
    const offer = acts.findLast(({ what }) => what === 'change')?.of ?? sold.offer
    const then = sure ? surely(sure, due) : whenDue({ due, fate, period, offer }, random)
    acts.push(...then)
    if (then.at(-1)?.what === 'uninstall') return acts
  }
  return acts
}

const surely = (sure: Pick<Act, 'what' | 'of'>, due: number): Act[] =>
  sure.what === 'give up' ? triedInVain(due) : [{ ...sure, at: due }]

/** How many end at each payment. */
const ENDS: Readonly<Record<Cycle, number>> = { 0: 0, 1: 0.05, 12: 0.3 }

/** Before it would have been paid again; what it ran on is often gone then. */
function cancelled({ cycle, hasSite }: Sold, due: number, random: () => number): Act[] {
  const at = due - Math.round((0.1 + 0.8 * random()) * cycle * 28 * DAY)
  const reason = 1 + Math.floor(random() * 15)
  const isGone = hasSite && random() < 0.6
  return [act('cancel', at, reason), ...(isGone ? [act('uninstall', due + 2 * DAY, reason)] : [])]
}

interface Due {
  readonly due: number
  /** From 0 up to 1. */
  readonly fate: number
  readonly period: number
  /** What it is paid for. */
  readonly offer: number
}

function whenDue({ due, fate, period, offer }: Due, random: () => number): Act[] {
  if (fate < 0.08) return triedInVain(due)
  if (fate < 0.14) return [act('fail', due, 1), act('renew', due + AGAIN_MS, period)]
  if (fate < 0.84) return [act('renew', due, period)]
  const other = offer === 0 || random() < 0.5 ? 1 : OFFERS - 1
  return [act('change', due, (offer + other) % OFFERS)]
}

/** What comes in the first weeks of a sale, and whether that is its end. */
function whatComesSoon({ buyer: { place }, start }: Sold): {
  readonly acts: Act[]
  readonly isOver: boolean
} {
  if (place % 13 === 4) return { acts: [act('refund', start + 4 * DAY, 100)], isOver: true }
  if (place % 19 === 6) return { acts: [act('refund', start + 9 * DAY, 50)], isOver: false }
  if (place % 11 !== 9) return { acts: [], isOver: false }
  const isWon = place > 11
  const acts = [act('dispute', start + 12 * DAY), act('decide', start + 33 * DAY, isWon ? 1 : 0)]
  return { acts, isOver: !isWon }
}

/** Four attempts; the last one ends it, and until then the renewal is owed. */
const triedInVain = (due: number): Act[] => [
  ...[0, 1, 4].map((days, n) => act('fail', due + days * DAY, n + 1)),
  act('give up', due + 9 * DAY),
  act('uninstall', due + 12 * DAY, 8),
]

/** Most sites get a version within weeks, some never. */
function updates({ buyer, hasSite, start, stretch: { which, begin } }: Sold): Act[] {
  if (!hasSite) return []
  const random = randomFrom(`${buyer.name}-updates`)
  return RELEASES[which].flatMap((one, release) => {
    const at = begin - one.made * DAY + Math.round((1 + 20 * random()) * DAY)
    const gets = random() < 0.8 && isForAll(one) && at > start + HOUR
    return gets ? [act('update', at, release)] : []
  })
}
