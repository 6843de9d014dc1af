import { fromUtcTime, toUtcTime, type UtcTime } from './time.ts'

/**
 * The same day and hour some months later, in UTC; where that month is too short its last day. Counted from the
 * anchor, periods keep their day: 31 January, 28 February, 31 March (DECISIONS 5.4).
 */
export function addMonths(anchor: UtcTime, months: number): UtcTime {
  const from = new Date(fromUtcTime(anchor))
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(from)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay))
  return toUtcTime(to.getTime())
}
