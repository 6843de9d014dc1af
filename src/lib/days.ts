import { DAY, fromUtcTime, toUtcTime, type UtcTime } from './time.ts'

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
