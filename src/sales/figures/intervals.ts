import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** A day of UTC, `2026-01-31`; sorts as text. */
export type Day = string & { readonly day: unique symbol }

/** A day as callers write it, `YYYY-MM-DD`; null when it is none. */
export function parseDay(text: string): Day | null {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return null
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayOf(toUtcTime(at)) !== text ? null : (text as Day)
}

/** The day in which a time is. */
export const dayOf = (time: UtcTime) => time.slice(0, 10) as Day

/** The first second of a day. */
export const startOfDay = (day: Day) => `${day} 00:00:00` as UtcTime

export const daysAfter = (day: Day, days: number): Day =>
  dayOf(toUtcTime(fromUtcTime(startOfDay(day)) + days * DAY))

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
