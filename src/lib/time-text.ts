import { fromUtcTime, SECOND, toUtcTime, type UtcTime } from './time.ts'

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

/** What is between two times, both of them in it; undefined: without end on that side. */
export interface TimeSpan {
  readonly from: UtcTime | undefined
  readonly to: UtcTime | undefined
}

/** As `TimeSpan`, in milliseconds since 1970. */
export interface MsSpan {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The span between two times as callers write them; undefined: neither end is given. */
export function spanOf(given: { readonly from?: string; readonly to?: string }): TimeSpan | undefined {
  if ((given.from ?? given.to) === undefined) return undefined
  return {
    from: (given.from !== undefined && parseTimeText(given.from, 'first second')) || undefined,
    to: (given.to !== undefined && parseTimeText(given.to, 'last second')) || undefined,
  }
}

/** The span as `spanOf` reads it, to the end of its last second. */
export function msSpanOf(given: { readonly from?: string; readonly to?: string }): MsSpan | undefined {
  const span = spanOf(given)
  return (
    span && {
      from: span.from && fromUtcTime(span.from),
      to: span.to && fromUtcTime(span.to) + SECOND - 1,
    }
  )
}
