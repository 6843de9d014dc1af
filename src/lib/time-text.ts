import { fromUtcTime, toUtcTime, type UtcTime } from './time.ts'

/**
 * A time as callers write it: `YYYY-MM-DD HH:MM:SS` in UTC, or a date alone, which stands for its first or
 * its last second. Null when it is neither, or a day or an hour that does not exist.
 */
export function parseTimeText(text: string, dateAlone: 'first second' | 'last second'): UtcTime | null {
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(text)) return null
  const ofDate = dateAlone === 'first second' ? '00:00:00' : '23:59:59'
  const time = (text.length === 10 ? `${text} ${ofDate}` : text) as UtcTime
  const ms = fromUtcTime(time)
  return !Number.isNaN(ms) && toUtcTime(ms) === time ? time : null
}
