import { fromUtcTime, MINUTE, toRfc2822, toUtcTime } from './time.ts'
import type { UtcTime } from './time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const PLAIN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const RFC_2822 =
  /^(?:(?<weekday>[A-Z][a-z]{2}), )?(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2})(?<seconds>:\d{2})? (?<zone>[+-]\d{4}|GMT|UTC)$/

/**
 * The date a client signed → milliseconds since the epoch, or null when it is not one. Reads RFC 2822 with a
 * numeric zone, GMT or UTC, and `YYYY-MM-DD HH:MM:SS` in UTC (`docs/interface.md` 2.4). A day that does not
 * exist, or is not the weekday it is said to be, is null.
 */
export function parseRequestDate(text: string): number | null {
  if (text !== last.text) last = { text, ms: parsed(text) }
  return last.ms
}

/** Many requests share a second. */
let last: { readonly text: string; readonly ms: number | null } = { text: '', ms: null }

function parsed(text: string): number | null {
  if (PLAIN.test(text)) return instant(text)
  const {
    weekday,
    day = '',
    month = '',
    year,
    time,
    seconds = ':00',
    zone = '',
  } = RFC_2822.exec(text)?.groups ?? {}
  const monthNumber = String(MONTHS.indexOf(month) + 1).padStart(2, '0')
  const local = instant(`${year}-${monthNumber}-${day.padStart(2, '0')} ${time}${seconds}`)
  const offset = zoneOffset(zone)
  if (local === null || offset === null) return null
  if (weekday !== undefined && !toRfc2822(local).startsWith(weekday)) return null
  return local - offset
}

/** Null unless the text comes back the same, which 30 February and 24:00 do not. */
function instant(text: string) {
  const ms = fromUtcTime(text as UtcTime)
  return Number.isNaN(ms) || toUtcTime(ms) !== text ? null : ms
}

/** `+0530` → milliseconds east of UTC; null when there is no such zone. */
function zoneOffset(zone: string) {
  if (zone === 'GMT' || zone === 'UTC') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE
}
