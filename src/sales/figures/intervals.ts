import { daysAfter, startOfDay, type Day } from '../../lib/days.ts'
import { fromUtcTime } from '../../lib/time.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** The first day of the interval in which a day is; weeks begin on Monday. */
export function beginOf(day: Day, interval: Interval): Day {
  if (interval === 'day') return day
  if (interval === 'month') return `${day.slice(0, 7)}-01` as Day
  const weekday = new Date(fromUtcTime(startOfDay(day))).getUTCDay()
  return daysAfter(day, -((weekday + 6) % 7))
}

/** The first day of the next interval. */
export function nextOf(begin: Day, interval: Interval): Day {
  if (interval === 'day') return daysAfter(begin, 1)
  return interval === 'week' ? daysAfter(begin, 7) : beginOf(daysAfter(begin, 31), 'month')
}

/** The first days of all intervals from one day to another, both of them in it. */
export function beginsBetween(first: Day, last: Day, interval: Interval): Day[] {
  const begins: Day[] = []
  for (let at = beginOf(first, interval); at <= last; at = nextOf(at, interval)) begins.push(at)
  return begins
}
