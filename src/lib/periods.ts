import { fromUtcTime, toUtcTime, type UtcTime } from './time.ts'

/**
 * A day and hour some months later, in UTC; where that month is too short its last day. Counted from the
 * anchor, periods keep their day: 31 January, 28 February, 31 March (`docs/decisions.md` 5.4).
 */
export function addMonths(anchor: UtcTime, months: number): UtcTime {
  const from = new Date(fromUtcTime(anchor))
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(from)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay))
  return toUtcTime(to.getTime())
}

/**
 * The end of the period after one that ended at `end`: the first that is later, counted in whole periods of so many
 * months from the anchor, whose day and hour all of them keep.
 */
export function periodAfter(anchor: UtcTime, end: UtcTime, months: number): UtcTime {
  const [from, to] = [new Date(fromUtcTime(anchor)), new Date(fromUtcTime(end))]
  const between = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  let periods = Math.floor(between / months)
  while (addMonths(anchor, periods * months) <= end) periods++
  return addMonths(anchor, periods * months)
}

/**
 * The beginning of the period that holds `now`, of those that follow each other from `end` on, and how many of them
 * were over before it: 0 while the first still lasts.
 */
export function periodHolding(
  { anchor, end, months }: { readonly anchor: UtcTime; readonly end: UtcTime; readonly months: number },
  now: UtcTime,
): { readonly start: UtcTime; readonly over: number } {
  let start = end
  let over = 0
  for (
    let next = periodAfter(anchor, start, months);
    next <= now;
    next = periodAfter(anchor, start, months)
  ) {
    start = next
    over++
  }
  return { start, over }
}
