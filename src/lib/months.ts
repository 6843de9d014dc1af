import { addMonths } from './periods.ts'
import type { UtcTime } from './time.ts'

/** A month of UTC, `2026-01`; sorts as text. */
export type Month = string & { readonly month: unique symbol }

/** A month as callers write it, `YYYY-MM`; null when it is none. */
export const parseMonth = (text: string): Month | null =>
  /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : null

/** The month in which a time is. */
export const monthOf = (time: UtcTime) => time.slice(0, 7) as Month

/** The first second of a month. */
export const startOf = (month: Month) => `${month}-01 00:00:00` as UtcTime

/** So many months later, or earlier when it is below 0. */
export const monthsAfter = (month: Month, months: number): Month => monthOf(addMonths(startOf(month), months))

/** The months from one to another, both of them too; none when the second is earlier. */
export function monthsFrom(first: Month, last: Month): Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = monthsAfter(month, 1)) months.push(month)
  return months
}
