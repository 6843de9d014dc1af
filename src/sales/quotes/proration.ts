import { portion } from '../../lib/portions.ts'
import { DAY, fromUtcTime, type UtcTime } from '../../lib/time.ts'

/** What was paid for the plan that is replaced: its last payment, minor units without tax, less what was given back. */
export type Held =
  | { readonly paid: number; /** The period that was paid. */ readonly from: UtcTime; readonly to: UtcTime }
  | {
      readonly paid: number
      /** When a lifetime was paid. */
      readonly from: UtcTime
      readonly to: null
      /** Days in which it counts in full; null: always. */
      readonly prorationDays: number | null
    }

/** What it is replaced by, and when. */
export interface Replacement {
  readonly now: UtcTime
  readonly isLifetime: boolean
}

export interface Proration {
  /** Minor units; the quote takes off at most the price. */
  readonly credit: number
  /** Of `days`, those that are left; a day that has begun counts as left. Null: there is no limit. */
  readonly daysLeft: number | null
  readonly days: number | null
}

/**
 * What is left of a payment (`docs/interface.md` 7.5): of a period the share of its days that are left;
 * of a lifetime all of it, within its days and towards another lifetime only.
 */
export function prorationOf(held: Held, { now, isLifetime }: Replacement): Proration {
  const days = held.to === null ? held.prorationDays : wholeDays(held.from, held.to)
  const daysLeft = days === null ? null : Math.max(0, days - wholeDays(held.from, now))
  if (held.to !== null) return { credit: shareOf(held.paid, daysLeft ?? 0, days ?? 0), daysLeft, days }
  const counts = isLifetime && daysLeft !== 0
  return { credit: counts ? held.paid : 0, daysLeft, days }
}

const shareOf = (paid: number, daysLeft: number, days: number) =>
  days === 0 ? 0 : portion(paid, daysLeft, days)

/** From one to the other, not negative. */
const wholeDays = (from: UtcTime, to: UtcTime) =>
  Math.max(0, Math.floor((fromUtcTime(to) - fromUtcTime(from)) / DAY))
